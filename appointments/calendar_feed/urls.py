from django.urls import path

from appointments.calendar_feed import views as calendar_feed_views

urlpatterns = [path("<str:secret>.ics", calendar_feed_views.serve_feed, name="calendar-feed")]
