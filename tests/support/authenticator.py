"""An authenticator in software: creates passkeys and signs challenges as browsers and devices do (WebAuthn, ES256)."""

import hashlib
import json
import secrets
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL = 0x01, 0x04, 0x40
AAGUID = bytes(16)


def encode(raw):
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text):
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Authenticator:
    """A device with one passkey. Each attribute may be changed to what an attacker would send."""

    origin: str = "http://comanda.test"
    rp_id: str = "comanda.test"
    flags: int = USER_PRESENT | USER_VERIFIED
    count: int = 0
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    user_handle: str = ""

    def create(self, options, **client_data):
        """Return the answer to options of a registration as JSON."""
        self.user_handle = options["user"]["id"]
        raw = self._get_client_data("webauthn.create", options["challenge"], **client_data)
        numbers = self.key.public_key().public_numbers()
        cose = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)})
        credential = AAGUID + struct.pack(">H", len(self.credential_id)) + self.credential_id + cose
        attestation = {
            "fmt": "none",
            "attStmt": {},
            "authData": self._get_data(self.flags | HAS_CREDENTIAL) + credential,
        }
        return self._to_json(clientDataJSON=raw, attestationObject=cbor2.dumps(attestation))

    def get(self, options, **client_data):
        """Return the answer to options of a sign-in as JSON."""
        self.count += 1
        raw = self._get_client_data("webauthn.get", options["challenge"], **client_data)
        data = self._get_data(self.flags)
        signature = self.key.sign(data + hashlib.sha256(raw).digest(), ec.ECDSA(SHA256()))
        return self._to_json(
            clientDataJSON=raw, authenticatorData=data, signature=signature, userHandle=decode(self.user_handle)
        )

    def _get_client_data(self, kind, asked, /, **changes):
        data = {"type": kind, "challenge": asked, "origin": self.origin, "crossOrigin": False, **changes}
        return json.dumps(data).encode()

    def _get_data(self, flags):
        return hashlib.sha256(self.rp_id.encode()).digest() + struct.pack(">BI", flags, self.count)

    def _to_json(self, **response):
        return json.dumps(
            {
                "id": encode(self.credential_id),
                "rawId": encode(self.credential_id),
                "type": "public-key",
                "response": {name: encode(raw) for name, raw in response.items()},
                "clientExtensionResults": {},
            }
        )
