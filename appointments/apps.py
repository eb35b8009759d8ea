from django.apps import AppConfig


class AppointmentsConfig(AppConfig):
    name = "appointments"

    def ready(self) -> None:
        from django.db.models.signals import post_save

        from accounts import notice_settings
        from accounts.models import User
        from appointments import notices
        from appointments.models.patients import follow
        from appointments.schedule import refuse_stranding
        from doctors.profile import hours_guards

        hours_guards.append(refuse_stranding)
        post_save.connect(follow, sender=User, dispatch_uid="appointments.patients")
        notices.register_composers()
        notice_settings.deadlines["appointment"] = notices.visit_begins
        notice_settings.deadlines["proposal"] = notices.proposal_ends
