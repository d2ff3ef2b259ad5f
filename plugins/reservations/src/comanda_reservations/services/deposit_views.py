"""The deposit of a reservation or a stay as pages show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from comanda.basics import clock
from comanda.web import N_
from comanda_payments import api as payments
from comanda_payments.api import PrepaymentStatus as DepositStatus

from comanda_reservations.records import ReservationDeposit

DEPOSIT_LABELS: Final[Mapping[str, tuple[str, str]]] = {
    DepositStatus.OPEN: (N_("Deposit not paid"), "warn"),
    DepositStatus.PAID: (N_("Deposit paid"), "good"),
    DepositStatus.APPLIED: (N_("Deposit on the bill"), "neutral"),
    DepositStatus.KEPT: (N_("Deposit kept"), "neutral"),
    DepositStatus.REFUNDING: (N_("Deposit is being refunded"), "warn"),
    DepositStatus.REFUNDED: (N_("Deposit refunded"), "neutral"),
    DepositStatus.CANCELLED: (N_("Deposit not paid"), "neutral"),
}


@dataclass(frozen=True, slots=True)
class DepositView:
    """A deposit on a guest's page; ``start_path`` is where its payment starts while it can be paid."""

    deposit: ReservationDeposit
    label: tuple[str, str]
    is_free: bool
    start_path: str | None

    @property
    def is_paid(self) -> bool:
        """Whether it was paid: the guest sees a confirmation, which follows in a moment."""
        return self.deposit.status is DepositStatus.PAID

    @property
    def is_kept_if_cancelled(self) -> bool:
        """Whether the guest does not get it back by cancelling now."""
        return self.is_paid and not self.is_free


async def view_deposit(owner_id: int, deposit: ReservationDeposit | None, *, is_held: bool) -> DepositView | None:
    """Return the deposit of what is held, or was held, until it is paid."""
    if deposit is None:
        return None
    now = clock.now()
    is_open = is_held and deposit.status is DepositStatus.OPEN and now < deposit.due_at
    start_path = await payments.create_start_path(owner_id, deposit.id) if is_open else None
    return DepositView(deposit, DEPOSIT_LABELS[deposit.status], now <= deposit.free_until, start_path)
