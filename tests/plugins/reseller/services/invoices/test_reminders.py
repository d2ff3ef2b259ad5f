"""Messages about invoices that are not paid."""

from datetime import UTC, datetime, timedelta

import pytest
from comanda.platform.db import sql
from comanda_reseller.models import Customer
from comanda_reseller.services.invoices.reminders import get_next_reminder
from reselling import Reseller

SELECT_SENDERS = "SELECT sender_name, reply_to FROM notifications_message WHERE owner_id = $1 AND address = $2"
START = datetime(2030, 1, 31, 10, 0, tzinfo=UTC)
TASK = "reseller_invoice_reminders"
DUE = datetime(2030, 1, 31, 10, 0, tzinfo=UTC)


@pytest.fixture
async def reseller(client, owner, clock):
    clock.set(START)
    return await Reseller.create(client, owner, legal_name="Northwind")


async def subjects(sent_messages, customer):
    return [message.subject for message in await sent_messages() if message.to == customer.email]


async def test_reminders_come_before_and_after_the_due_day(reseller, clock, run_task, sent_messages):
    customer = await reseller.customer(method="manual")
    await reseller.invoice(customer, 1000, is_collected=True)

    found = []
    for days in (0, 10, 1, 1, 3, 6, 30):
        clock.advance(days=days)
        await run_task(TASK)
        await run_task(TASK)
        found.append(await subjects(sent_messages, customer))

    issued, due, overdue = (
        "Invoice INV-000001 of Northwind",
        "Invoice INV-000001 is due on 14 February 2030",
        "Invoice INV-000001 is overdue",
    )
    assert found[-1] == [issued, due, overdue, overdue]
    assert [len(each) for each in found] == [1, 1, 2, 2, 3, 4, 4]


async def test_paid_invoice_is_not_reminded_of(reseller, clock, run_task, sent_messages):
    customer = await reseller.customer(method="manual")
    issued = await reseller.invoice(customer, 1000)
    await reseller.act(issued, "mark-paid", {})
    clock.advance(days=60)

    await run_task(TASK)

    assert await subjects(sent_messages, customer) == []


async def test_message_is_in_the_language_of_the_customer(reseller, clock, run_task, sent_messages):
    customer = await reseller.customer(method="manual")
    await Customer.filter(owner_id=reseller.id, customer_owner_id=customer.id).update(language="de")
    await reseller.invoice(customer, 1000)
    clock.advance(days=16)

    await run_task(TASK)

    (message,) = [each for each in await sent_messages() if each.to == customer.email]
    assert message.subject == "Rechnung INV-000001 ist überfällig"
    assert "http://comanda.test/reseller/invoices/" in message.text


async def test_customers_get_mail_from_their_reseller(reseller, clock, run_task):
    customer = await reseller.customer(method="manual")
    await reseller.invoice(customer, 1000)
    clock.advance(days=16)

    await run_task(TASK)

    senders = await sql.fetch(SELECT_SENDERS, reseller.id, customer.email)

    assert {tuple(row) for row in senders} == {("Northwind", reseller.owner.email)}


@pytest.mark.parametrize(("after", "expected"), [(-30, -3), (-3, 1), (0, 1), (1, 7), (7, None), (400, None)])
def test_next_reminder_is_the_first_after_a_moment(runtime, after, expected):
    found = get_next_reminder(DUE, DUE + timedelta(days=after))

    assert found == (None if expected is None else DUE + timedelta(days=expected))
