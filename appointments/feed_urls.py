from django.urls import path

from appointments import feed

urlpatterns = [path("<str:secret>.ics", feed.answer, name="calendar-feed")]
