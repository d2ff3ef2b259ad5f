"""One-time codes of a store's customers: sent to a phone or an e-mail, worth ten minutes, five tries and one use.

Nothing here depends on whether anybody is known by the phone or e-mail, so neither answers nor times can tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comanda import clock
from comanda.accounts import codes
from comanda.accounts.codes import LOGIN_RULES, Holder, Redeemed
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda_notifications.api import delete_messages as forget_messages
from comanda_notifications.api import send_template

from comanda_customers.message_templates import VERIFICATION_CODE
from comanda_customers.models import Purpose
from comanda_customers.services.identities import Identity, IdentityKind
from comanda_customers.services.stores import CustomerStore

LIFETIME_MINUTES: Final = int(LOGIN_RULES.lifetime.total_seconds()) // 60


@dataclass(frozen=True, slots=True)
class IdentityProof:
    """What a code proves; or None and the reason, such as ``otp_expired``."""

    identity: Identity | None = None
    reason: str = ""

    def refusal(self) -> ValidationFailed:
        """Make the error for a code that proves nothing."""
        return Redeemed(None, self.reason).refusal()


async def send_code(
    store: CustomerStore, identity: Identity, purpose: Purpose, language: str | None, source: str = ""
) -> None:
    """Send a new code, unless enough that were sent before are still good. Raises ``RateLimited``.

    ``source`` is the address that asks. ``language`` is what whoever asks for it reads; what a customer has chosen
    would tell that there is one.
    """
    async with sql.transaction():
        code = await codes.issue(_to_holder(store, identity, purpose), source=source)
        if code is None:
            return
        await send_template(
            VERIFICATION_CODE.name,
            to=identity.value,
            channel="sms" if identity.kind is IdentityKind.PHONE else "email",
            values={"code": code, "store": store.title, "minutes": LIFETIME_MINUTES},
            language=language,
            owner_id=store.owner_id,
            store_id=store.id,
            secret=True,
            expires_at=clock.now() + LOGIN_RULES.lifetime,
        )


async def redeem_code(
    store: CustomerStore, candidates: Sequence[Identity], purpose: Purpose, code: str, source: str = ""
) -> IdentityProof:
    """Use up a code that was sent to any of the candidates, in the open transaction.

    A wrong try is counted; so the caller commits, and raises the ``refusal`` afterwards.
    """
    by_holder = {_to_holder(store, candidate, purpose): candidate for candidate in candidates}
    redeemed = await codes.redeem(list(by_holder), code, source=source)
    if redeemed.holder is None:
        return IdentityProof(None, redeemed.reason)
    return IdentityProof(by_holder[redeemed.holder])


async def delete_codes(store: CustomerStore, identities: Sequence[Identity]) -> None:
    """Delete what was sent to somebody who is erased, also to an address that they never proved."""
    await codes.forget([_to_holder(store, one, purpose) for one in identities for purpose in Purpose])
    await forget_messages([one.value for one in identities], owner_id=store.owner_id, purpose=VERIFICATION_CODE.name)


def _to_holder(store: CustomerStore, identity: Identity, purpose: Purpose) -> Holder:
    return Holder(f"customers:{store.id}", identity.value, purpose.value, store.owner_id)
