"""The product's addresses, and those of the bare views beside them."""

from django.urls import include, path

from benchmarks import baseline

urlpatterns = [
    path("baseline/replay", baseline.replay),
    path("baseline/book", baseline.book),
    path("", include("config.urls")),
]
handler500 = "config.api.errors.handle_500"
