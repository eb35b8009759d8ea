"""Rate limits and bulkheads for requests that start a process, call another server, or need over 50 ms of CPU time.

The view or service counts the request first (`PORTRAIT.consume()`); the code that does the work enters a bulkhead.

| request                        | rate limit          | bulkhead          |
|--------------------------------|---------------------|-------------------|
| upload a profile picture       | PORTRAIT            | files             |
| fetch a profile picture by URL | PICTURE_LINK        | links, then files |
| attach a file                  | ATTACHMENT          | files             |
| upload evidence                | APPLICATION         | files             |
| print a prescription           | PRESCRIPTION        | documents         |
| export a list (CSV)            | LIST_EXPORT         | exports           |
| export one's data (ZIP)        | DATA_EXPORT         | exports           |
| confirm one's password         | PASSWORD_CHECK      | hashing           |
| sign in, register, reset       | limits of their own | hashing           |
"""

from dataclasses import dataclass

from django.conf import settings

from accounts.audit.log import current_address, current_caller
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit, get_network
from config.http.concurrency_limit import Bulkhead, Place

documents = Bulkhead("documents", settings.MAX_CONCURRENT_DOCUMENTS, settings.MAX_WAITING_DOCUMENTS, seconds=5)
# A streamed export occupies its thread until the client has read it.
exports = Bulkhead("exports", settings.MAX_CONCURRENT_EXPORTS, settings.MAX_WAITING_EXPORTS, seconds=5)


@dataclass(frozen=True)
class ExpensiveRequest:
    """Limits of one kind of request, per user and per network."""

    name: str

    @property
    def user_limit(self) -> RateLimit:
        """Return the limit per user, or per network for visitors."""
        return RateLimit(self.name, settings.MAX_EXPENSIVE_REQUESTS_PER_USER[self.name])

    @property
    def network_limit(self) -> NetworkRateLimit:
        """Return the limit of all users and visitors of one network."""
        max_attempts = (
            settings.MAX_EXPENSIVE_REQUESTS_PER_USER[self.name] * settings.EXPENSIVE_REQUESTS_NETWORK_MULTIPLE
        )
        return NetworkRateLimit(f"{self.name}-network", max_attempts)

    def consume(self) -> None:
        """Count the current request; raise `too_many` if it exceeds a limit. Commands are not counted."""
        caller, network = get_caller_and_network()
        if caller:
            self.user_limit.consume(caller)
        if network:
            self.network_limit.consume(current_address.get())


PORTRAIT = ExpensiveRequest("portrait")
PICTURE_LINK = ExpensiveRequest("picture-link")
ATTACHMENT = ExpensiveRequest("attachment")
APPLICATION = ExpensiveRequest("application")
PRESCRIPTION = ExpensiveRequest("prescription")
LIST_EXPORT = ExpensiveRequest("list-export")
DATA_EXPORT = ExpensiveRequest("data-export")
PASSWORD_CHECK = ExpensiveRequest("password-check")


def get_caller_and_network() -> tuple[str, str]:
    """Return the current request's caller and network; both are empty outside a request."""
    network = get_network(current_address.get())
    return current_caller.get() or network, network


def acquire_place(bulkhead: Bulkhead) -> Place:
    """Return a place for the current request; raise as `Bulkhead.acquire`."""
    return bulkhead.acquire(*get_caller_and_network())


def set_anonymous_caller(identifier: str) -> None:
    """Distinguish the visitors of one network by what they claim to be, such as an email address."""
    current_caller.set(f"{get_network(current_address.get())} {identifier}")
