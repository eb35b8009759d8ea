from django.apps import AppConfig


class AppointmentsConfig(AppConfig):
    name = "appointments"

    def ready(self) -> None:
        from django.db.models.signals import post_migrate, post_save

        from accounts.models import User
        from accounts.notifications import delivery, preferences
        from accounts.text.substring_search import prepare_search
        from appointments.availability.services import guard_hours
        from appointments.models.doctor_patient import update_copies
        from appointments.notifications import messages as notification_messages
        from appointments.notifications import reminders
        from doctors.profile import hours_guards

        hours_guards.append(guard_hours)
        post_migrate.connect(prepare_search, sender=self, dispatch_uid="appointments.search")
        post_save.connect(update_copies, sender=User, dispatch_uid="appointments.patients")
        notification_messages.register_composers()
        delivery.gates.append(notification_messages.wait_for_undo)
        preferences.deadlines["appointment"] = notification_messages.get_appointment_deadline
        preferences.deadlines["proposal"] = notification_messages.get_proposal_deadline
        reminders.register_composers()
