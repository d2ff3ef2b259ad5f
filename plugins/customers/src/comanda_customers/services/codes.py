"""One-time codes of a store's customers: sent to a phone or an e-mail, worth ten minutes, five tries and one use.

Nothing here depends on whether anybody is known by the phone or e-mail, so neither answers nor times can tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comanda import clock
from comanda.accounts import codes
from comanda.accounts.codes import LOGIN_RULES, CodeHolder, RedeemedCode
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda_notifications.api import forget as forget_messages
from comanda_notifications.api import send_template

from comanda_customers.identities import Identity, Kind
from comanda_customers.messages import CODE
from comanda_customers.models import Purpose
from comanda_customers.services.shops import Shop

MINUTES: Final = int(LOGIN_RULES.lifetime.total_seconds()) // 60


@dataclass(frozen=True, slots=True)
class Proof:
    """What a code proves; or None and the reason, such as ``otp_expired``."""

    identity: Identity | None = None
    reason: str = ""

    def to_error(self) -> ValidationFailed:
        """Make the error for a code that proves nothing."""
        return RedeemedCode(None, self.reason).to_error()


async def request(shop: Shop, identity: Identity, purpose: Purpose, language: str | None, source: str = "") -> None:
    """Send a new code, unless enough that were sent before are still good. Raises ``RateLimited``.

    ``source`` is the address that asks. ``language`` is what whoever asks for it reads; what a customer has chosen
    would tell that there is one.
    """
    async with sql.transaction():
        code = await codes.issue_code(_holder(shop, identity, purpose), source=source)
        if code is None:
            return
        await send_template(
            CODE.name,
            to=identity.value,
            channel="sms" if identity.kind is Kind.PHONE else "email",
            values={"code": code, "store": shop.title, "minutes": MINUTES},
            language=language,
            owner_id=shop.owner_id,
            store_id=shop.id,
            secret=True,
            expires_at=clock.now() + LOGIN_RULES.lifetime,
        )


async def redeem(shop: Shop, candidates: Sequence[Identity], purpose: Purpose, code: str, source: str = "") -> Proof:
    """Use up a code that was sent to any of the candidates, in the open transaction.

    A wrong try is counted; so the caller commits, and raises the ``refusal`` afterwards.
    """
    by_holder = {_holder(shop, candidate, purpose): candidate for candidate in candidates}
    redeemed = await codes.redeem_code(list(by_holder), code, source=source)
    if redeemed.holder is None:
        return Proof(None, redeemed.reason)
    return Proof(by_holder[redeemed.holder])


async def forget(shop: Shop, identities: Sequence[Identity]) -> None:
    """Delete what was sent to somebody who is erased, also to an address that they never proved."""
    await codes.delete_codes([_holder(shop, one, purpose) for one in identities for purpose in Purpose])
    await forget_messages([one.value for one in identities], owner_id=shop.owner_id, purpose=CODE.name)


def _holder(shop: Shop, identity: Identity, purpose: Purpose) -> CodeHolder:
    return CodeHolder(f"customers:{shop.id}", identity.value, purpose.value, shop.owner_id)
