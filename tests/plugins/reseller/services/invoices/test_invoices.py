"""Issue of invoices: amounts, numbers, credit, and what never changes afterwards."""

import asyncio

import asyncpg
import pytest
from comanda.basics import ValidationFailed
from comanda.platform.db import sql
from comanda_wallet import api as wallet
from reselling import Reseller


@pytest.fixture
async def reseller(client, owner, clock):
    return await Reseller.create(client, owner, tax_ppm=190_000)


async def list_numbers(reseller, kind="invoice"):
    rows = await sql.fetch(
        "SELECT number, sequence FROM reseller_invoice WHERE owner_id = $1 AND kind = $2 AND issuer = 'reseller' "
        "ORDER BY sequence",
        reseller.id, kind,
    )  # fmt: skip
    return [row["number"] for row in rows]


async def test_invoice_has_tax_on_its_lines(reseller):
    customer = await reseller.customer()

    issued = await reseller.invoice(customer, 2900, -483, 10)
    shown = await reseller.read(issued)

    assert (shown["number"], shown["status"]) == ("INV-000001", "open")
    assert (shown["subtotal"], shown["tax_rate"], shown["tax"], shown["total"]) == (24.27, 19, 4.61, 28.88)
    assert [(line["amount"], line["tax"]) for line in shown["lines"]] == [(29, 5.51), (-4.83, -0.92), (0.1, 0.02)]
    assert (shown["amount_due"], shown["paid_at"], shown["currency"]) == (28.88, None, "EUR")


async def test_same_reference_is_issued_once(reseller):
    customer = await reseller.customer()

    one, other = await reseller.invoice(customer, 100), await reseller.invoice(customer, 999)

    assert one == other
    assert await list_numbers(reseller) == ["INV-000001"]


async def test_parallel_invoices_have_no_gaps(reseller):
    customers = [await reseller.customer(10_000) for _ in range(4)]

    async def issue(number):
        return await reseller.invoice(
            customers[number % 4], 100 + number, reference=f"parallel:{number // 2}", is_collected=True
        )

    # Each reference twice, so that half of the calls must not take a number.
    await asyncio.gather(*(issue(number) for number in range(40)))

    assert await list_numbers(reseller) == [f"INV-{number:06}" for number in range(1, 21)]


async def test_failed_transaction_returns_its_number(reseller):
    customer = await reseller.customer()
    await reseller.invoice(customer, 100, reference="first")

    async def fail():
        async with sql.transaction():
            await reseller.invoice(customer, 100, reference="second")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()

    await reseller.invoice(customer, 100, reference="third")
    assert await list_numbers(reseller) == ["INV-000001", "INV-000002"]


async def test_two_resellers_count_by_themselves(reseller, client, other_owner):
    other = await Reseller.create(client, other_owner)

    await reseller.invoice(await reseller.customer(), 100)
    issued = await other.invoice(await other.customer(), 100)

    assert issued.number == "INV-000001"


@pytest.mark.parametrize(
    "change",
    ["total_minor = 1, subtotal_minor = 1, tax_minor = 0", "number = 'INV-9'", "buyer = '{}'", "due_at = now()"],
)
async def test_issued_invoice_cannot_be_changed(reseller, change):
    issued = await reseller.invoice(await reseller.customer(), 100)
    before = await reseller.read(issued)

    for statement in (
        f"UPDATE reseller_invoice SET {change} WHERE owner_id = $1 AND id = $2",
        "DELETE FROM reseller_invoice WHERE owner_id = $1 AND id = $2",
        "UPDATE reseller_invoice_line SET quantity = 2 WHERE owner_id = $1 AND invoice_id = $2",
        "DELETE FROM reseller_invoice_line WHERE owner_id = $1 AND invoice_id = $2",
    ):
        with pytest.raises(asyncpg.RaiseError):
            await sql.execute(statement, reseller.id, issued.id)

    assert await reseller.read(issued) == before


async def test_total_below_zero_becomes_credit_for_the_next_invoices(reseller):
    customer = await reseller.customer()

    credited = await reseller.read(await reseller.invoice(customer, -1000, reference="a"))
    smaller = await reseller.read(await reseller.invoice(customer, 500, reference="b"))
    larger = await reseller.read(await reseller.invoice(customer, 1000, reference="c"))

    assert (credited["status"], credited["total"], credited["credit_applied"]) == ("paid", -11.9, -11.9)
    assert (smaller["status"], smaller["total"], smaller["credit_applied"]) == ("paid", 5.95, 5.95)
    assert (larger["status"], larger["credit_applied"], larger["amount_due"]) == ("open", 5.95, 5.95)


async def test_void_invoice_gives_its_credit_back(reseller):
    customer = await reseller.customer()
    await reseller.invoice(customer, -1000, reference="a")
    issued = await reseller.invoice(customer, 2000, reference="b")

    status, voided = await reseller.act(issued, "void", {"reason": "Billed twice"})
    again = await reseller.act(issued, "void", {"reason": "Billed twice"})
    following = await reseller.read(await reseller.invoice(customer, 2000, reference="c"))

    assert (status, voided["status"], voided["amount_due"], again[0]) == (200, "void", 0, 200)
    assert following["credit_applied"] == 11.9
    assert following["number"] == "INV-000003"


async def test_invoice_without_lines_or_too_large_is_refused(reseller):
    customer = await reseller.customer()

    for prices in ((), (10**12, 1)):
        with pytest.raises(ValidationFailed):
            await reseller.invoice(customer, *prices)

    assert await list_numbers(reseller) == []


async def test_wallet_pays_and_the_reseller_earns(reseller):
    customer = await reseller.customer(5000)

    shown = await reseller.read(await reseller.invoice(customer, 2900, is_collected=True))

    assert (shown["status"], shown["amount_due"]) == ("paid", 0)
    assert [(each["method"], each["status"], each["amount"]) for each in shown["payments"]] == [
        ("wallet", "paid", 34.51)
    ]
    assert (await wallet.get_wallet(customer.id)).balance_minor == 5000 - 3451
    assert (await wallet.get_earnings(reseller.id)).balance_minor == 3451


async def test_empty_wallet_leaves_the_invoice_open(reseller):
    customer = await reseller.customer(100)
    issued = await reseller.invoice(customer, 2900, is_collected=True)

    failed = await reseller.read(issued)
    await reseller.fund(customer, 5000)
    status, collected = await reseller.act(issued, "collect")

    assert (failed["status"], [each["status"] for each in failed["payments"]]) == ("open", ["failed"])
    assert (status, collected["result"], collected["invoice"]["status"]) == (200, "paid", "paid")
    assert (await wallet.get_wallet(customer.id)).balance_minor == 5100 - 3451


async def test_parallel_collection_charges_once(reseller):
    customer = await reseller.customer(100_000)
    issued = await reseller.invoice(customer, 2900)

    replies = await asyncio.gather(*(reseller.act(issued, "collect") for _ in range(8)))

    assert sorted(status for status, _ in replies) == [200] + [409] * 7
    assert (await wallet.get_wallet(customer.id)).balance_minor == 100_000 - 3451
