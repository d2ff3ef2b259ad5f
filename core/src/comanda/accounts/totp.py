"""Codes of authenticator apps, and recovery codes that replace them.

Source: RFC 6238 with SHA-1, six digits, steps of 30 seconds. The steps before and after the current one are accepted
too, since clocks differ; the caller stores the accepted step, and refuses it and all before it from then on.
"""

import hmac
import secrets
from typing import TYPE_CHECKING, Final

from comanda.basics import clock
from comanda.basics.lazy_imports import LazyModule

if TYPE_CHECKING:
    import pyotp
    import segno
else:
    pyotp, segno = LazyModule("pyotp"), LazyModule("segno")

ISSUER: Final = "Comanda"
STEP_SECONDS: Final = 30
RECOVERY_CODE_COUNT: Final = 10
# No two of these are easily confused.
RECOVERY_CODE_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
RECOVERY_CODE_HALF: Final = 5


def create_secret() -> str:
    """Return a new secret in base 32."""
    return pyotp.random_base32()


def get_uri(secret: str, account: str) -> str:
    """Return the ``otpauth`` URI of a secret, by which apps add it."""
    return pyotp.TOTP(secret).provisioning_uri(name=account, issuer_name=ISSUER)


def render_qr_code(uri: str) -> str:
    """Return a URI as an SVG element, which is light and dark whatever the page around it is."""
    return segno.make(uri, error="m").svg_inline(scale=4, border=4, light="#fff")


def find_step(secret: str, code: str, last_step: int) -> int | None:
    """Return the step that this code belongs to, of those accepted now and later than ``last_step``, or None."""
    now = int(clock.now().timestamp()) // STEP_SECONDS
    totp = pyotp.TOTP(secret)
    given = code.replace(" ", "").encode("utf-8", "surrogatepass")
    fitting = [step for step in (now - 1, now, now + 1) if hmac.compare_digest(totp.generate_otp(step).encode(), given)]
    return next((step for step in fitting if step > last_step), None)


def create_recovery_codes() -> list[str]:
    """Return new recovery codes as they are stored, hashed, and compared."""
    length = 2 * RECOVERY_CODE_HALF
    return ["".join(secrets.choice(RECOVERY_CODE_ALPHABET) for _ in range(length)) for _ in range(RECOVERY_CODE_COUNT)]


def format_recovery_code(code: str) -> str:
    """Return a recovery code as people read it, such as ``abcde-23456``."""
    return f"{code[:RECOVERY_CODE_HALF]}-{code[RECOVERY_CODE_HALF:]}"


def normalize_recovery_code(code: str) -> str:
    """Return a recovery code without case, dashes and spaces."""
    return "".join(mark for mark in code.lower() if mark in RECOVERY_CODE_ALPHABET)
