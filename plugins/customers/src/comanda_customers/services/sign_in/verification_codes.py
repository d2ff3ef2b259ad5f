"""One-time codes sent to a phone or an e-mail: valid for ten minutes, five attempts and one use.

Nothing here depends on whether the phone or e-mail belongs to a customer, so neither responses nor timing reveal it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comanda.accounts import LOGIN_RULES, CodeRecipient, RedeemedCode, codes
from comanda.basics import ValidationFailed, clock
from comanda.platform.db import sql
from comanda_notifications.api import delete_messages, send_template

from comanda_customers.message_templates import VERIFICATION_CODE
from comanda_customers.models import Purpose
from comanda_customers.services.guest_list.identities import Identity, IdentityKind
from comanda_customers.services.stores import CustomerStore

LIFETIME_MINUTES: Final = int(LOGIN_RULES.lifetime.total_seconds()) // 60


@dataclass(frozen=True, slots=True)
class IdentityProof:
    """The identity that a code proves, or None and the reason, such as ``otp_expired``."""

    identity: Identity | None = None
    reason: str = ""

    def to_error(self) -> ValidationFailed:
        """Return the error for a rejected code."""
        return RedeemedCode(None, self.reason).to_error()


async def send_code(
    store: CustomerStore, identity: Identity, purpose: Purpose, language: str | None, source: str = ""
) -> None:
    """Send a new code, unless the maximum number of codes is still valid. Raises ``RateLimited``.

    ``source`` is the client address. ``language`` comes from the request, because using a customer's own language would
    reveal that the customer exists.
    """
    async with sql.transaction():
        code = await codes.issue_code(_to_recipient(store, identity, purpose), source=source)
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

    A wrong code is counted, so the caller commits before raising ``to_error()``.
    """
    by_recipient = {_to_recipient(store, candidate, purpose): candidate for candidate in candidates}
    redeemed = await codes.redeem_code(list(by_recipient), code, source=source)
    if redeemed.recipient is None:
        return IdentityProof(None, redeemed.reason)
    return IdentityProof(by_recipient[redeemed.recipient])


async def delete_codes(store: CustomerStore, identities: Sequence[Identity]) -> None:
    """Delete the codes and messages sent to these identities, for an erasure."""
    await codes.delete_codes([_to_recipient(store, one, purpose) for one in identities for purpose in Purpose])
    await delete_messages([one.value for one in identities], owner_id=store.owner_id, purpose=VERIFICATION_CODE.name)


def _to_recipient(store: CustomerStore, identity: Identity, purpose: Purpose) -> CodeRecipient:
    return CodeRecipient(f"customers:{store.id}", identity.value, purpose.value, store.owner_id)
