"""Test that each token has one encoding: other spellings that a decoder would accept are rejected."""

import base64
import string
from urllib.parse import quote

import pytest
from django.core.cache import cache
from django.core.signing import Signer
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.auth.sessions import open_session
from accounts.authentication import has_canonical_signature
from accounts.calendar_feed import create_feed
from accounts.credentials import challenge_tokens, signed_links
from accounts.notifications.preferences import UNSUBSCRIBE_SALT
from accounts.tests.auth.authenticators import PASSKEYS, SECOND, Device, enrol, ticket_of
from accounts.tests.factories import PASSWORD, AdminFactory

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]

BASE64 = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"


def spellings(token):
    """Other texts that a lenient decoder reads as the same: padding, foreign characters, spare bits, look-alikes."""
    middle = len(token) // 2
    yield from (
        f"{token}=",
        f"{token}==",
        f"{token}.",
        f" {token}",
        f"{token} ",
        f"{token}\n",
        f"\t{token}",
        f"={token}",
    )
    yield from (f"{token}!", f"{token[:middle]}!{token[middle:]}", f"{token[:middle]}\r\n{token[middle:]}")
    yield from (f"{token}\u200b", f"{token}\ufeff", f'"{token}"', token.swapcase(), f"{token}A", token[:-1])
    for plain, other in (
        ("-", "+"),
        ("_", "/"),
        ("K", "\u212a"),
        (":", "\u003a\u200d"),
        (".", "\u3002"),
        ("a", "\uff41"),
    ):
        if plain in token:
            yield token.replace(plain, other, 1)
    # The last character of each part may carry bits that no byte needs.
    for place, character in enumerate(token):
        if character in BASE64 and (place + 1 == len(token) or token[place + 1] in ".:"):
            for bit in (1, 2, 4, 8):
                yield token[:place] + BASE64[BASE64.index(character) ^ bit] + token[place + 1 :]


@pytest.fixture
def person(patient, client_of):
    patient.client = client_of(patient)
    return patient


def session(person, rf):
    token = open_session(person, rf.get("/"), timezone.now())

    def is_taken(text):
        if not text.isascii() or set(text) & set("\r\n\t "):
            return False  # no header, or another one
        return APIClient(HTTP_AUTHORIZATION=f"Bearer {text}").get("/api/auth/profile").status_code == 200

    return token, is_taken


def staff_cookie(person, rf):
    token = open_session(AdminFactory.create(is_staff=True), rf.get("/"), timezone.now())

    def is_taken(text):
        if not text.isascii() or set(text) & set(' "\r\n\t'):
            return False  # the cookie's own form takes these away
        client = Client()
        client.cookies["staff"] = text
        return client.get("/staff/").status_code == 200

    return token, is_taken


def reset_link(person, rf):
    token = signed_links.build_link(signed_links.PASSWORD_RESET, person, timezone.now()).partition("token=")[2]
    path = "/api/auth/password/reset/check"
    return token, lambda text: APIClient().post(path, {"token": text}, format="json").status_code == 200


def email_link(person, rf):
    token = signed_links.build_link(signed_links.OWN_EMAIL, person, timezone.now()).partition("token=")[2]
    path = "/api/auth/email/confirm"
    return token, lambda text: APIClient().post(path, {"token": text}, format="json").status_code == 200


def unsubscribe_link(person, rf):
    token = Signer(salt=UNSUBSCRIBE_SALT).sign_object([person.pk.hex, "reminder", "mail"])
    path = "/api/notices/unsubscribe?token="
    return token, lambda text: APIClient().post(path + quote(text)).status_code == 200


def sign_in_ticket(person, rf):
    _, codes = enrol(person.client)

    def is_taken(text):
        body = {"ticket": text, "recoveryCode": codes[0]}
        return APIClient().post(SECOND, body, format="json").status_code == 200

    return ticket_of(APIClient(), person), is_taken


def passkey_ticket(person, rf):
    asked = person.client.post(f"{PASSKEYS}/options", {"currentPassword": PASSWORD}, format="json").json()["data"]
    made = Device().make(asked["options"])

    def is_taken(text):
        body = {"ticket": text, "name": "Shelf", "passkey": made}
        return person.client.post(PASSKEYS, body, format="json").status_code == 201

    return asked["ticket"], is_taken


def calendar_address(person, rf):
    token = create_feed(person, timezone.now())[1].partition("/calendar/")[2].removesuffix(".ics")
    return token, lambda text: APIClient().get(f"/calendar/{quote(text)}.ics").status_code == 200


TOKENS = {
    "session": session, "staff cookie": staff_cookie, "reset link": reset_link, "email link": email_link,
    "unsubscribe link": unsubscribe_link, "sign-in ticket": sign_in_ticket, "passkey ticket": passkey_ticket,
    "calendar address": calendar_address,
}  # fmt: skip


@pytest.mark.parametrize("kind", TOKENS)
def test_token_has_one_encoding(kind, person, rf):
    token, is_taken = TOKENS[kind](person, rf)
    taken, tried = [], 0
    for other in spellings(token):
        if other == token:
            continue
        tried += 1
        cache.clear()
        if is_taken(other):
            taken.append(other.replace(token, "token"))
    assert taken == []
    assert tried >= 20
    cache.clear()
    # The control, last since some work once.
    assert is_taken(token)


def test_unused_bits_of_a_signature_are_zero():
    """What a lenient decoder makes of them is the same bytes, which is why they are looked at."""
    written = base64.urlsafe_b64encode(bytes(32)).rstrip(b"=").decode()
    same = [written[:-1] + each for each in BASE64 if base64.urlsafe_b64decode(written[:-1] + each + "=") == bytes(32)]
    assert len(same) == 4
    assert [each for each in same if has_canonical_signature(f"a.b.{each}".encode())] == [written]


def test_used_ticket_has_one_encoding(person, rf):
    """Another one would have another fingerprint, and so be unspent."""
    token, is_taken = sign_in_ticket(person, rf)
    assert is_taken(token)
    assert not any(is_taken(other) for other in spellings(token))
    assert challenge_tokens.SpentTicket.objects.count() == 1
