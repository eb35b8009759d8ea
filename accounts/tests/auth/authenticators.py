"""An authenticator app and a device with passkeys, both simulated in Python."""

import hashlib
import json
import secrets
from datetime import datetime
from typing import Any

import cbor2
import pyotp
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.utils import timezone
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from accounts.tests.factories import PASSWORD

APP = "/api/auth/second-step/app"
LOGIN = "/api/auth/login"
SECOND = "/api/auth/login/second"
PASSKEYS = "/api/auth/passkeys"
PROOF = "/api/auth/second-step/proof"


def code_of(secret: str, now: datetime | None = None) -> str:
    """Return what the app shows at a moment."""
    return pyotp.TOTP(secret.replace(" ", "")).at(now or timezone.now())


def enrol(client, password: str = PASSWORD, **proof) -> tuple[str, list[str]]:
    """Set an authenticator app up; returns its secret and the recovery codes. `proof`: a current factor."""
    started = client.post(APP, {"currentPassword": password, **proof}, format="json")
    assert started.status_code == 201, started.content
    secret = started.json()["data"]["secret"]["text"]
    turned_on = client.put(APP, {"code": code_of(secret)}, format="json")
    assert turned_on.status_code == 200, turned_on.content
    return secret, turned_on.json()["data"]["recoveryCodes"]


def log_in(api, user, **more):
    """Send the sign-in form with the right password."""
    return api.post(LOGIN, {"email": user.email, "password": PASSWORD, "role": user.role}, format="json", **more)


def ticket_of(api, user, **more) -> str:
    """Take the first step; return the ticket for the second one."""
    answer = log_in(api, user, **more)
    assert answer.status_code == 200, answer.content
    return str(answer.json()["data"]["secondStep"]["ticket"])


class Device:
    """A device with passkeys, as WebAuthn level 3 describes it: an ES256 key for each account, attestation `none`."""

    def __init__(self, *, origin="http://127.0.0.1:8000", rp_id="127.0.0.1", verifies=True, counts=True):
        self.origin, self.rp_id, self.verifies, self.counts = origin, rp_id, verifies, counts
        self.keys: dict[str, ec.EllipticCurvePrivateKey] = {}
        self.handle = b""
        self.count = 0

    def client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def authenticator_data(self, attested: bytes = b"") -> bytes:
        flags = 1 | (4 if self.verifies else 0) | (64 if attested else 0)
        self.count += self.counts
        head = hashlib.sha256(self.rp_id.encode()).digest()
        return b"".join((head, bytes([flags]), self.count.to_bytes(4, "big"), attested))

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """Make a key, as `navigator.credentials.create` does."""
        key = ec.generate_private_key(ec.SECP256R1())
        raw_id = secrets.token_bytes(32)
        name = bytes_to_base64url(raw_id)
        self.keys[name] = key
        self.handle = base64url_to_bytes(options["user"]["id"])
        point = key.public_key().public_numbers()
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")})
        attested = bytes(16) + len(raw_id).to_bytes(2, "big") + raw_id + public
        statement = {"fmt": "none", "attStmt": {}, "authData": self.authenticator_data(attested)}
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": bytes_to_base64url(self.client_data("webauthn.create", options["challenge"])),
                "attestationObject": bytes_to_base64url(cbor2.dumps(statement)),
                "transports": ["internal"],
            },
        }

    def sign(self, options: dict[str, Any], name: str = "") -> dict[str, Any]:
        """Sign a challenge, as `navigator.credentials.get` does."""
        name = name or next(iter(self.keys))
        client_data = self.client_data("webauthn.get", options["challenge"])
        data = self.authenticator_data()
        signature = self.keys[name].sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(SHA256()))
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": bytes_to_base64url(client_data),
                "authenticatorData": bytes_to_base64url(data),
                "signature": bytes_to_base64url(signature),
                "userHandle": bytes_to_base64url(self.handle),
            },
        }

    def prove(self, client) -> dict[str, Any]:
        """Sign what a change of factors asks for; returns the fields of the proof."""
        asked = client.post(PROOF).json()["data"]
        return {"ticket": asked["ticket"], "passkey": self.sign(asked["options"])}

    def join(self, client, name: str = "Kitchen laptop", password: str = PASSWORD, **proof) -> dict[str, Any]:
        """Add a passkey to the account of the person who is signed in; returns `data`. `proof`: a current factor."""
        body = {"currentPassword": password, **proof}
        asked = client.post(f"{PASSKEYS}/options", body, format="json").json()["data"]
        body = {"ticket": asked["ticket"], "name": name, "passkey": self.make(asked["options"])}
        answer = client.post(PASSKEYS, body, format="json")
        assert answer.status_code == 201, answer.content
        data: dict[str, Any] = answer.json()["data"]
        return data
