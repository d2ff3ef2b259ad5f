"""Credit notes: their numbers, amounts, and where the money goes."""

import asyncio

import pytest
from comanda_wallet import api as wallet
from reselling import Reseller


@pytest.fixture
async def reseller(client, owner, clock):
    return await Reseller.create(client, owner, tax_ppm=190_000)


@pytest.fixture
async def customer(reseller):
    return await reseller.customer(10_000)


@pytest.fixture
async def paid(reseller, customer):
    """An invoice of 34.51, tax included, that the wallet has paid."""
    return await reseller.invoice(customer, 2900, is_collected=True)


async def balance(customer):
    return (await wallet.get_wallet(customer.id)).balance_minor


async def test_full_credit_note_returns_the_money_to_the_wallet(reseller, customer, paid):
    status, note = await reseller.act(paid, "credit-notes", {"reason": "Cancelled by mistake"})

    assert (status, note["kind"], note["number"], note["status"]) == (201, "credit_note", "INVC-000001", "paid")
    assert (note["subtotal"], note["tax"], note["total"]) == (-29, -5.51, -34.51)
    assert (note["credited_invoice_id"], note["reason"]) == (paid.id, "Cancelled by mistake")
    assert await balance(customer) == 10_000
    assert (await wallet.get_earnings(reseller.id)).balance_minor == 0
    shown = await reseller.read(paid)
    assert (shown["status"], shown["total"], shown["credited"]) == ("paid", 34.51, 34.51)


async def test_partial_credit_notes_give_back_the_tax_exactly(reseller, customer, paid):
    notes = [(await reseller.act(paid, "credit-notes", {"amount": 11.11, "reason": "Downtime"}))[1] for _ in range(3)]
    notes.append((await reseller.act(paid, "credit-notes", {"reason": "The rest"}))[1])

    assert [note["total"] for note in notes] == [-11.11, -11.11, -11.11, -1.18]
    assert round(sum(note["tax"] for note in notes), 2) == -5.51
    assert round(sum(note["subtotal"] for note in notes), 2) == -29
    assert [note["number"] for note in notes] == [f"INVC-{number:06}" for number in range(1, 5)]
    assert await balance(customer) == 10_000


async def test_more_than_was_paid_is_refused(reseller, customer, paid):
    await reseller.act(paid, "credit-notes", {"amount": 30, "reason": "Downtime"})
    before = await balance(customer)

    refused = [
        await reseller.act(paid, "credit-notes", {"amount": amount, "reason": "Too much"}) for amount in (4.52, 0, 1e9)
    ]

    assert [(status, list(document["errors"])) for status, document in refused] == [(422, ["amount"])] * 3
    assert await balance(customer) == before
    assert (await reseller.read(paid))["credited"] == 30


async def test_unpaid_invoice_cannot_be_credited(reseller, customer):
    issued = await reseller.invoice(customer, 2900, reference="open")

    status, document = await reseller.act(issued, "credit-notes", {"reason": "Not paid"})

    assert (status, document["code"]) == (409, "conflict")
    listed = await reseller.get("/reseller/customer-invoices?kind=credit_note")
    assert listed["total"] == 0


async def test_key_repeats_the_first_credit_note(reseller, customer, paid):
    body, headers = {"amount": 5, "reason": "Downtime"}, {"Idempotency-Key": "abc"}

    replies = await asyncio.gather(*(reseller.act(paid, "credit-notes", body, headers=headers) for _ in range(4)))

    assert {(status, document["id"]) for status, document in replies} == {(201, replies[0][1]["id"])}
    assert await balance(customer) == 10_000 - 3451 + 500


async def test_parallel_credit_notes_never_exceed_the_invoice(reseller, customer, paid):
    replies = await asyncio.gather(
        *(reseller.act(paid, "credit-notes", {"amount": 10, "reason": "Downtime"}) for _ in range(8))
    )

    assert sorted(status for status, _ in replies) == [201] * 3 + [422] * 5
    assert await balance(customer) == 10_000 - 3451 + 3000


async def test_credit_pays_the_next_invoice(reseller, customer, paid):
    _, note = await reseller.act(paid, "credit-notes", {"amount": 20, "reason": "Goodwill", "refund_to": "credit"})

    following = await reseller.read(await reseller.invoice(customer, 1000, reference="next"))

    assert [payment["method"] for payment in note["payments"]] == ["credit"]
    assert (following["status"], following["credit_applied"]) == ("paid", 11.9)
    assert await balance(customer) == 10_000 - 3451


async def test_money_from_outside_does_not_go_to_the_wallet(reseller, customer):
    issued = await reseller.invoice(customer, 2900, reference="manual")
    await reseller.act(issued, "mark-paid", {"reference": "Transfer"})

    refused = await reseller.act(issued, "credit-notes", {"reason": "x", "refund_to": "wallet"})
    status, note = await reseller.act(issued, "credit-notes", {"reason": "x", "refund_to": "outside"})

    assert (refused[0], list(refused[1]["errors"])) == (422, ["refund_to"])
    assert (status, note["payments"][0]["method"], note["payments"][0]["amount"]) == (201, "outside", -34.51)
    assert await balance(customer) == 10_000
