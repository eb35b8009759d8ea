"""Django's WSGI application with our wrappers; `config.asgi` serves it, and `runserver` while developing."""

import os
import sys

from config.server.malloc import limit_heap

limit_heap()

from django.core.wsgi import get_wsgi_application  # noqa: E402 - before anything starts a thread

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django_application = get_wsgi_application()

from django.conf import settings  # noqa: E402 - Django must be set up first
from django.core.checks import Tags  # noqa: E402 - as above
from django.core.management.base import BaseCommand, SystemCheckError  # noqa: E402 - as above

from config import log_formatters  # noqa: E402 - as above
from config.env.checks import CONFIGURATION  # noqa: E402 - as above
from config.error_reports import start_reporting  # noqa: E402 - as above
from config.http.header_limits import limit_headers  # noqa: E402 - as above
from config.http.middleware import normalize_content_type  # noqa: E402 - as above
from config.metrics.process_files import reserve_files  # noqa: E402 - as above
from config.server.graceful_shutdown import close_connections, handle_stop_signals  # noqa: E402 - as above
from config.server.parent_watchdog import watch_parent  # noqa: E402 - as above

# Servers run no system checks by themselves. Without compiled messages, all emails would be in English.
try:
    BaseCommand().check(tags=[Tags.translation], include_deployment_checks=True)
    # Without those that only `check --deploy` makes, which refuse development.
    BaseCommand().check(tags=[CONFIGURATION])
except SystemCheckError as error:
    # Printed without a traceback; the exit status is 1.
    sys.exit(str(error))

if not settings.IS_TEST:
    # A test run listens for these itself, and fails for each.
    log_formatters.install_exception_hooks()

application = close_connections(limit_headers(normalize_content_type(django_application)))

handle_stop_signals()
watch_parent()
reserve_files()
start_reporting()
log_formatters.log_start()

if settings.HOUSEKEEPING == "inline":
    from adminpanel.operations.housekeeping import start_inline

    start_inline()

if settings.DELIVERY == "inline":
    from accounts.notifications import delivery

    delivery.start_inline_delivery()
