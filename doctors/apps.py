from django.apps import AppConfig


class DoctorsConfig(AppConfig):
    name = "doctors"

    def ready(self) -> None:
        from doctors import freshness, notices, overlap, role_part, search_index

        overlap.keep_standing(self)
        freshness.keep_standing(self)
        search_index.keep_standing(self)
        role_part.register()
        notices.register_composers()
