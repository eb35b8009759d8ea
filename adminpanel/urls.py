from django.urls import path

from adminpanel import views

urlpatterns = [
    path("config", views.SiteConfigViewSet.as_view({"get": "retrieve"}), name="site-config"),
]
