"""The machine-readable description of the API and our own readable page over it."""

from django.urls import path

from config.api import openapi_document, openapi_page

urlpatterns = [
    path("schema", openapi_document.view, name="schema"),
    path("schema/docs", openapi_page.page, name="api-docs"),
]
