"""The product's addresses, and those of the bare views beside them."""

from django.urls import include, path

from benchmarks import bare

urlpatterns = [
    path("bare/replay", bare.replay),
    path("bare/book", bare.book),
    path("", include("config.urls")),
]
handler500 = "config.api.errors.handle_500"
