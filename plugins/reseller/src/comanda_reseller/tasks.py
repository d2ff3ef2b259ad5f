"""Queues of subscriptions and of the platform's invoices, and the reminders of unpaid ones."""

from datetime import timedelta
from typing import Final

from comanda.contracts import LeasedQueue, Task

from comanda_reseller.services.invoices import reminders
from comanda_reseller.services.resellers import fees
from comanda_reseller.services.subscriptions import renewals

TASKS: Final[tuple[Task | LeasedQueue, ...]] = (
    renewals.QUEUE,
    fees.QUEUE,
    Task("reseller_invoice_reminders", reminders.send_reminders, every=timedelta(hours=1)),
)
