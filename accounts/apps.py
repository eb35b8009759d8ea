from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import audit_guard, notices, serializers

        audit_guard.keep_standing(self)
        serializers.register_role_parts()
        notices.register_composers()
