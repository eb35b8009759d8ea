"""Where a request comes from."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from django.conf import settings


def get_client_ip(environ: Mapping[str, Any]) -> str:
    """Return the IP address of the client, believing as many forwarded entries as we have proxies.

    Empty where neither names one: what a client wrote there itself is not an address.
    """
    forwarded = [part.strip() for part in environ.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    trusted = settings.TRUSTED_PROXIES
    believed = [forwarded[-trusted]] if trusted and len(forwarded) >= trusted else []
    for address in (*believed, environ.get("REMOTE_ADDR", "")):
        try:
            return str(ipaddress.ip_address(address))
        except ValueError:
            continue
    return ""
