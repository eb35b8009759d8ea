from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import (
            audit_guard,
            calendar_feed,
            delivery,
            email_address,
            messages,
            notice_settings,
            notices,
            password_reset,
            second_step_notices,
            serializers,
        )

        audit_guard.keep_standing(self)
        serializers.register_role_parts()
        for part in (notices, password_reset, email_address, second_step_notices, calendar_feed):
            part.register_composers()
        delivery.preparers.append(password_reset.look_up_requests)
        delivery.gates.append(notice_settings.gate)
        messages.header_makers.append(notice_settings.how_to_stop)
