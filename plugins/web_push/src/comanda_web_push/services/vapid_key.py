"""The key by which push services know this installation (VAPID).

It follows from the secret of this installation, which is stored encrypted: it needs no row of its own, and stays the
same as long as the database does. Source: RFC 8292; the scalar is reduced as in FIPS 186-5, A.2.1.
"""

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Final

from comanda.basics import LazyModule, clock
from comanda.platform.encryption import hmac_digest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from comanda_web_push.settings import get_contact

if TYPE_CHECKING:
    import py_vapid
else:
    py_vapid = LazyModule("py_vapid")

CURVE_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
VALID_SECONDS: Final = 12 * 3600


async def get_public_key() -> str:
    """Return the public key, as browsers take it when they subscribe."""
    point = (await _load_key()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


async def sign_for(origin: str) -> dict[str, str]:
    """Return the headers that identify this installation to the push service at an origin."""
    claims = {"aud": origin, "exp": int(clock.now().timestamp()) + VALID_SECONDS, "sub": get_contact()}
    headers: dict[str, str] = py_vapid.Vapid02(await _load_key()).sign(claims)
    return headers


async def _load_key() -> ec.EllipticCurvePrivateKey:
    # Twice the length of the order, so that no scalar is likelier than another.
    parts = [await hmac_digest.hmac_digest("web_push.vapid", half) for half in ("1", "2")]
    scalar = int.from_bytes(b"".join(parts)) % (CURVE_ORDER - 1) + 1
    return ec.derive_private_key(scalar, ec.SECP256R1())
