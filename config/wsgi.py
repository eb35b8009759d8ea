"""Django's WSGI application with our wrappers; `config.asgi` serves it, and `runserver` while developing."""

import os

from config.memory import give_back

give_back()

from django.core.wsgi import get_wsgi_application  # noqa: E402 - before anything starts a thread

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django_application = get_wsgi_application()

from django.conf import settings  # noqa: E402 - Django must be set up first

from config import log_formatters  # noqa: E402 - as above
from config.heads import with_bounded_head  # noqa: E402 - as above
from config.http.middleware import with_readable_type  # noqa: E402 - as above
from config.leaving import leave_politely, with_farewell  # noqa: E402 - as above
from config.orphans import end_with_the_server  # noqa: E402 - as above

if not settings.IS_TEST:
    # A test run listens for these itself, and fails for each.
    log_formatters.take_over()

application = with_farewell(with_bounded_head(with_readable_type(django_application)))

leave_politely()
end_with_the_server()

if settings.HOUSEKEEPING == "inline":
    from adminpanel.operations.maintenance import start_inline

    start_inline()

if settings.DELIVERY == "inline":
    from accounts.notifications import delivery

    delivery.start_inline()
