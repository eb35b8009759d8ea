"""What costs much: how often it may be asked for, and the bulkheads in front of it.

A call belongs here when it starts a process, speaks to another server, or takes more than 50 ms of a core. Its view or
act counts it first (`PORTRAIT.take()`), and the code that does the work enters a bulkhead.

| call                            | counted as          | bulkhead         |
|---------------------------------|---------------------|------------------|
| upload a portrait               | PORTRAIT            | files            |
| have a picture fetched by link  | PICTURE_LINK        | links, then files |
| attach a file                   | ATTACHMENT          | files            |
| send a document as evidence     | APPLICATION         | files            |
| print a prescription            | PRESCRIPTION        | documents        |
| take away a list (CSV)          | LIST_EXPORT         | exports          |
| take away one's data (ZIP)      | DATA_EXPORT         | exports          |
| give one's own password again   | PASSWORD_CHECK      | hashing          |
| sign in, register, reset        | limits of their own | hashing          |
"""

from dataclasses import dataclass

from django.conf import settings

from accounts.audit.log import current_address, current_caller
from accounts.throttling.rate_limit import Limit, NetworkLimit, network_of
from config.http.concurrency_limit import Bulkhead, Place

# PDFs that are printed, and downloads of many rows, which hold their thread as long as somebody reads them.
documents = Bulkhead("documents", settings.DOCUMENTS_AT_ONCE, settings.DOCUMENTS_WAITING, seconds=5)
exports = Bulkhead("exports", settings.EXPORTS_AT_ONCE, settings.EXPORTS_WAITING, seconds=5)


@dataclass(frozen=True)
class Cost:
    """How often one person, and one network, may ask for something in a quarter of an hour."""

    name: str

    @property
    def per_person(self) -> Limit:
        """Return the limit of one person, or of one network's visitors where nobody is signed in."""
        return Limit(self.name, settings.COSTLY_CALLS_PER_PERSON[self.name])

    @property
    def per_network(self) -> NetworkLimit:
        """Return the limit of all people of one network."""
        most = settings.COSTLY_CALLS_PER_PERSON[self.name] * settings.COSTLY_CALLS_PER_NETWORK
        return NetworkLimit(f"{self.name}-network", most)

    def take(self) -> None:
        """Count a call of the request that is being answered; raises `too_many`. Commands are not counted."""
        caller, network = get_caller_and_network()
        if caller:
            self.per_person.take(caller)
        if network:
            self.per_network.take(current_address.get())


PORTRAIT = Cost("portrait")
PICTURE_LINK = Cost("picture-link")
ATTACHMENT = Cost("attachment")
APPLICATION = Cost("application")
PRESCRIPTION = Cost("prescription")
LIST_EXPORT = Cost("list-export")
DATA_EXPORT = Cost("data-export")
PASSWORD_CHECK = Cost("password-check")


def get_caller_and_network() -> tuple[str, str]:
    """Return who asks and from where; both are empty outside a request."""
    network = network_of(current_address.get())
    return current_caller.get() or network, network


def acquire_place(bulkhead: Bulkhead) -> Place:
    """Return a place for the caller of the request; raises as `Bulkhead.acquire`."""
    return bulkhead.acquire(*get_caller_and_network())


def claim(who: str) -> None:
    """Distinguish people of one network while they are signed out, by what they claim to be."""
    current_caller.set(f"{network_of(current_address.get())} {who}")
