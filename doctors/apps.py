from django.apps import AppConfig


class DoctorsConfig(AppConfig):
    name = "doctors"

    def ready(self) -> None:
        from doctors import messages as doctor_messages
        from doctors import user_serializer
        from doctors.availability import constraints
        from doctors.directory import search_index

        constraints.connect_migrate_signal(self)
        search_index.connect_signals(self)
        user_serializer.register_doctor_role()
        doctor_messages.register_composers()
