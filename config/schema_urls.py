"""The machine-readable description of the API and our own readable page over it."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from config import api_docs

urlpatterns = [
    path("schema", SpectacularAPIView.as_view(authentication_classes=[]), name="schema"),
    path("schema/docs", api_docs.page, name="api-docs"),
]
