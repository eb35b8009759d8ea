from django.apps import AppConfig


class AppointmentsConfig(AppConfig):
    name = "appointments"

    def ready(self) -> None:
        from appointments.schedule import refuse_stranding
        from doctors.profile import hours_guards

        hours_guards.append(refuse_stranding)
