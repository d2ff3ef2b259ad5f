"""Usage that apps report, charged to the owner's wallet: once per reference, within the owner's monthly cap."""

from datetime import date, datetime
from decimal import ROUND_DOWN, Decimal
from typing import Final

from comanda.basics import (
    Conflict,
    Forbidden,
    Money,
    PaymentRequired,
    ValidationFailed,
    clock,
    extend_record,
    get_exponent,
    round_half_up,
)
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda_oauth import api as oauth
from comanda_wallet import api as wallet

from comanda_marketplace import models
from comanda_marketplace.models import App, Billing, Installation
from comanda_marketplace.records import Usage, UsageReceipt
from comanda_marketplace.schemas import UsageBody
from comanda_marketplace.services.billing import terms
from comanda_marketplace.services.billing.price_terms import get_share

DECIMALS: Final = Decimal("0.000001")
MAX_AMOUNT_MINOR: Final = 10**12


async def report_usage(caller: Caller, body: UsageBody) -> UsageReceipt:
    """Charge usage to the wallet of the owner who installed the app; a reference that was charged is not again.

    Raises ``Forbidden`` for a token that is not an installed app's, ``ValidationFailed`` for an app that does not
    charge by usage, ``PaymentRequired`` beyond the wallet or the owner's cap, with nothing stored.
    """
    installation = await oauth.installation_of(caller)
    if not installation.is_active:
        raise Forbidden("The app is not installed on this account.")
    if await terms.ensure_terms(installation) is None:
        raise Forbidden("This token does not belong to an app of the marketplace.")
    async with sql.transaction():
        # Reports of one installation wait for each other, so that none of them can pass the cap or repeat a reference.
        row = await terms.find_terms(installation.owner_id, installation.id, is_locked=True)
        if row is None or row.uninstalled_at is not None:
            raise Forbidden("The app is not installed on this account.")
        if row.billing != Billing.USAGE:
            raise ValidationFailed(
                quantity=["This app does not charge by usage."], extras={"reason": "not_usage_billed"}
            )
        first = None if body.ref is None else await _find(row, body.ref)
        usage = await _charge(row, body) if first is None else first
        return extend_record(UsageReceipt, to_usage(usage), is_duplicate=first is not None)


def get_month(moment: datetime) -> date:
    """Return the first day of the calendar month of a moment, in UTC, for which a cap counts."""
    return moment.date().replace(day=1)


def to_usage(row: models.Usage) -> Usage:
    """Return a row as a record."""
    return extend_record(
        Usage, row, amount=Money(row.amount_minor, row.currency), balance=Money(row.balance_minor, row.currency)
    )


def calculate_amount(quantity: Decimal, unit_price: Decimal, currency: str) -> int:
    """Return the price of a quantity in minor units, rounded half up."""
    numerator = _to_millionths(quantity) * _to_millionths(unit_price) * 10 ** get_exponent(currency)
    return round_half_up(numerator, 10**12)


async def _find(row: Installation, ref: str) -> models.Usage | None:
    return await models.Usage.get_or_none(installation_id=row.id, owner_id=row.owner_id, ref=ref)


async def _charge(row: Installation, body: UsageBody) -> models.Usage:
    moment = clock.now()
    amount = calculate_amount(body.quantity, row.price, row.currency)
    if amount > MAX_AMOUNT_MINOR:
        raise ValidationFailed(quantity=["The amount of this quantity is too large."])
    if row.currency != wallet.get_currency():
        raise Conflict("The app charges in another currency than the wallet's.", extras={"reason": "currency"})
    await _count(row, amount, moment)
    usage = await models.Usage.create(
        owner_id=row.owner_id,
        installation_id=row.id,
        app_id=row.app_id,
        ref=body.ref,
        quantity=body.quantity,
        unit_price=row.price,
        amount_minor=amount,
        currency=row.currency,
        balance_minor=0,
        created_at=moment,
    )
    app = await terms.get_app_row(row)
    entry = await wallet.charge(row.owner_id, _to_charge(usage, app), f"app:{row.id}")
    usage.balance_minor = entry.balance_minor
    await usage.save(update_fields=["balance_minor"])
    return usage


def _to_charge(usage: models.Usage, app: App) -> wallet.Charge:
    return wallet.Charge(
        kind=wallet.EntryKind.USAGE,
        amount_minor=usage.amount_minor,
        reference=f"app:{usage.installation_id}:usage:{usage.id}",
        description=f"{app.name}: {usage.quantity.normalize():f} x {usage.unit_price.normalize():f}",
        payee_owner_id=app.owner_id,
        payee_share_minor=get_share(usage.amount_minor),
    )


async def _count(row: Installation, amount: int, moment: datetime) -> None:
    """Add an amount to this month's. Raises ``PaymentRequired`` beyond the owner's cap."""
    month = get_month(moment)
    used = row.usage_minor if row.usage_month == month else 0
    cap = row.monthly_cap_minor
    if cap is not None and used + amount > cap:
        raise PaymentRequired(
            "The owner's monthly cap for this app is reached.",
            extras={"reason": "cap_reached", "limits": {"monthly_cap": Money(cap, row.currency).to_number()}},
        )
    row.usage_month, row.usage_minor = month, used + amount
    await row.save(update_fields=["usage_month", "usage_minor"])


def _to_millionths(number: Decimal) -> int:
    return int(number.quantize(DECIMALS, ROUND_DOWN).scaleb(6))
