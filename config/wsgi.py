"""The WSGI entry that the server loads."""

import os

from config.memory import give_back

give_back()

from django.core.wsgi import get_wsgi_application  # noqa: E402 - before anything starts a thread

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django_application = get_wsgi_application()

from django.conf import settings  # noqa: E402 - Django must be set up first

from config import logs  # noqa: E402 - as above
from config.bodies import with_bounded_body  # noqa: E402 - as above
from config.leaving import leave_politely, with_farewell  # noqa: E402 - as above
from config.orphans import end_with_the_server  # noqa: E402 - as above
from config.requests import with_readable_type  # noqa: E402 - as above

if not settings.IS_TEST:
    # A test run listens for these itself, and fails for each.
    logs.take_over()

application = with_farewell(with_bounded_body(with_readable_type(django_application)))

leave_politely()
end_with_the_server()

if settings.HOUSEKEEPING == "inline":
    from adminpanel.housekeeping import start_inline

    start_inline()

if settings.DELIVERY == "inline":
    from accounts import delivery

    delivery.start_inline()
