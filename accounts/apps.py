from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from django.db.models.signals import post_migrate

        from accounts import access_log, calendar_feed, serializers
        from accounts.audit import append_only
        from accounts.auth import email_verification, mfa_messages, password_reset
        from accounts.notifications import account_messages, delivery, preferences, rate_alerts, registry
        from accounts.text import substring_search
        from config.api.access_log import register_recorder
        from config.db import former_schema  # noqa: F401 - registers its check
        from config.env import checks  # noqa: F401 - registers its checks

        append_only.connect_signals(self)
        post_migrate.connect(
            substring_search.prepare_search, sender=self, dispatch_uid="accounts.text.substring_search"
        )
        serializers.register_roles()
        register_recorder(access_log.record_readings)
        for part in (account_messages, rate_alerts, password_reset, email_verification, mfa_messages, calendar_feed):
            part.register_composers()
        delivery.preparers.append(password_reset.process_requests)
        delivery.gates.append(preferences.check_preferences)
        registry.header_builders.append(preferences.build_unsubscribe_headers)
