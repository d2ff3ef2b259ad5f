"""Charges of wallets, and fees that payment providers withhold for the platform outside of them."""

from comanda_wallet.models import CHARGE_KINDS, Account, EntryKind
from comanda_wallet.records import Charge, Entry
from comanda_wallet.services.ledger import Leg, NewEntry, join_transaction, write_entry
from comanda_wallet.services.wallets import lock_wallet


async def charge(owner_id: int, charge: Charge, actor: str = "system") -> Entry:
    """Charge a wallet, and credit the developer's share and the platform's rest. An amount of 0 is recorded too.

    Raises ``PaymentRequired`` (402), with nothing stored and the reference still free, if the balance and the credit
    limit do not suffice; ``ValueError`` for a kind that is no charge, a negative amount or a share beyond the amount.
    """
    _check_charge(charge)
    share = charge.payee_share_minor
    legs = (Leg(Account.EARNINGS, share, charge.payee_owner_id), Leg(Account.REVENUE, charge.amount_minor - share))
    new = NewEntry(charge.kind, -charge.amount_minor, charge.reference, charge.description, actor, legs)
    async with join_transaction():
        return await write_entry(await lock_wallet(owner_id), new)


def _check_charge(charge: Charge) -> None:
    if charge.kind not in CHARGE_KINDS:
        raise ValueError(f"{charge.kind} is not a kind of charges.")
    if not 0 <= charge.payee_share_minor <= charge.amount_minor:
        raise ValueError("The developer's share must be between 0 and the amount.")
    if charge.payee_share_minor and charge.payee_owner_id is None:
        raise ValueError("A share needs the developer who earns it.")


async def record_fee(
    owner_id: int, amount_minor: int, reference: str, description: str = "", actor: str = "system"
) -> Entry:
    """Record a fee that a payment provider has withheld for the platform; the balance stays as it is.

    Raises ``ValueError`` unless the amount is more than 0; ``Conflict`` if the wallet is in another currency.
    """
    if amount_minor <= 0:
        raise ValueError("A fee must be more than 0.")
    legs = (Leg(Account.REVENUE, amount_minor), Leg(Account.CASH, -amount_minor))
    async with join_transaction():
        new = NewEntry(EntryKind.FEE, 0, reference, description, actor, legs)
        return await write_entry(await lock_wallet(owner_id), new)
