from django.apps import AppConfig


class DoctorsConfig(AppConfig):
    name = "doctors"

    def ready(self) -> None:
        from doctors import freshness, notices, overlap, role_part

        overlap.keep_standing(self)
        freshness.keep_standing(self)
        role_part.register()
        notices.register_composers()
