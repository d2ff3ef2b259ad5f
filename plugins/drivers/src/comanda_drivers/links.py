"""Links to photos of deliveries: good for a quarter of an hour, for whoever has one."""

import hmac
from datetime import UTC, datetime, timedelta
from typing import Final

from comanda import clock, runtime
from comanda.contracts.routes import API_PREFIX
from comanda.encryption import hmac_digest

PATH: Final = "/delivery-photos/{id}"
GOOD_FOR: Final = timedelta(minutes=15)
# Links change this often and not with every look, so that a browser may keep the picture.
STEP_SECONDS: Final = 300


async def sign(photo_id: int) -> tuple[str, datetime]:
    """Make a link to a photo, and tell until when it is good: between 15 and 20 minutes."""
    latest = int((clock.now() + GOOD_FOR).timestamp())
    expires = latest - latest % STEP_SECONDS + STEP_SECONDS
    path = f"{API_PREFIX}{PATH.format(id=photo_id)}"
    query = f"expires={expires}&signature={await _signature(photo_id, expires)}"
    return f"{runtime.settings().site_url}{path}?{query}", datetime.fromtimestamp(expires, UTC)


async def is_good(photo_id: int, expires: str, signature: str) -> bool:
    """Tell whether a link is one of ours, to this photo, and not over."""
    if not (expires.isascii() and expires.isdigit() and len(expires) <= 12 and signature.isascii()):
        return False
    is_ours = hmac.compare_digest(signature, await _signature(photo_id, int(expires)))
    return is_ours and int(expires) > clock.now().timestamp()


async def _signature(photo_id: int, expires: int) -> str:
    return (await hmac_digest.hmac_digest("drivers.photo", str(photo_id), str(expires))).hex()
