"""Invoices over the API: lists, a customer's own view, PDF files, and who may see what."""

import io

import pytest
from comanda_reseller.models import Account
from comanda_wallet import api as wallet
from pypdf import PdfReader
from reselling import API, Reseller


@pytest.fixture
async def reseller(client, owner, clock):
    return await Reseller.create(
        client, owner, tax_ppm=190_000, legal_name="Böhm & Söhne GmbH", address="Ångströmstraße 5\n10115 Berlin"
    )


@pytest.fixture
async def foreign(client, other_owner, clock):
    return await Reseller.create(client, other_owner)


async def test_lists_are_filtered_and_newest_first(reseller):
    one, two = await reseller.customer(10_000), await reseller.customer()
    paid = await reseller.invoice(one, 1000, reference="a", is_collected=True)
    opened = await reseller.invoice(two, 2000, reference="b")

    async def ids(query):
        return [each["id"] for each in (await reseller.get(f"/reseller/customer-invoices{query}"))["data"]]

    assert await ids("") == [opened.id, paid.id]
    assert await ids("?status=paid") == [paid.id]
    assert await ids(f"?customer_id={two.id}") == [opened.id]
    assert await ids("?kind=credit_note") == []
    assert (await reseller.get("/reseller/invoices"))["data"] == []
    await reseller.get("/reseller/customer-invoices?status=unknown", expect=422)


async def test_customer_sees_its_own_invoices_alone(reseller):
    one, two = await reseller.customer(), await reseller.customer()
    mine = await reseller.invoice(one, 1000, reference="a")
    theirs = await reseller.invoice(two, 2000, reference="b")

    listed = await reseller.get("/invoices", owner=one)
    shown = await reseller.get(f"/invoices/{mine.id}", owner=one)

    assert [each["id"] for each in listed["data"]] == [mine.id]
    assert (shown["seller"]["name"], shown["seller"]["address"]) == (
        "Böhm & Söhne GmbH", "Ångströmstraße 5\n10115 Berlin"
    )  # fmt: skip
    assert shown["buyer"]["email"] == one.email
    for path in (f"/invoices/{theirs.id}", f"/invoices/{theirs.id}/pdf"):
        await reseller.get(path, expect=404, owner=one)
    status, _ = await reseller.send("POST", f"/invoices/{theirs.id}/pay", owner=one)
    assert (status, (await reseller.read(theirs))["status"]) == (404, "open")


async def test_account_without_reseller_has_no_invoices(reseller, other_owner):
    assert (await reseller.get("/invoices", owner=other_owner))["total"] == 0
    await reseller.get("/invoices/1", expect=404, owner=other_owner)


async def test_invoices_of_another_reseller_are_not_found(reseller, foreign):
    issued = await foreign.invoice(await foreign.customer(1000), 100, is_collected=True)
    before = await foreign.read(issued)

    assert (await reseller.get("/reseller/customer-invoices"))["total"] == 0
    for path in ("", "/pdf"):
        await reseller.get(f"/reseller/customer-invoices/{issued.id}{path}", expect=404)
        await reseller.get(f"/reseller/invoices/{issued.id}{path}", expect=404)
    acts = {"mark-paid": {}, "collect": {}, "void": {"reason": "x"}, "write-off": {"reason": "x"}}
    for act, body in {**acts, "credit-notes": {"reason": "x"}, "link": {}}.items():
        status, _ = await reseller.act(issued, act, body)
        assert status == 404, act
    assert await foreign.read(issued) == before


async def test_owner_who_is_no_reseller_is_refused(reseller, other_owner):
    for path in ("/reseller/customer-invoices", "/reseller/invoices", "/reseller/stats"):
        document = await reseller.get(path, expect=403, owner=other_owner)
        assert document["reason"] == "not_a_reseller"


async def test_scopes_are_enforced(reseller, client):
    customer = await reseller.customer(10_000)
    issued = await reseller.invoice(customer, 1000)
    reader = await customer.token_with("billing:read")
    other = await customer.token_with("orders:read")

    listed = await client.get(f"{API}/invoices", headers=reader)
    refused = [
        await client.post(f"{API}/invoices/{issued.id}/pay", headers=reader, json={}),
        await client.get(f"{API}/invoices", headers=other),
    ]

    assert listed.status_code == 200
    assert [reply.status_code for reply in refused] == [403, 403]
    assert (await reseller.read(issued))["status"] == "open"


async def test_customer_pays_from_its_wallet(reseller):
    customer = await reseller.customer(100, method="manual")
    issued = await reseller.invoice(customer, 1000)
    path = f"/invoices/{issued.id}/pay"

    refused = await reseller.send("POST", path, owner=customer)
    await reseller.fund(customer, 5000)
    paid = await reseller.send("POST", path, owner=customer)
    again = await reseller.send("POST", path, owner=customer)

    assert (refused[0], refused[1]["code"]) == (402, "payment_required")
    assert (paid[0], paid[1]["status"], again[0]) == (200, "paid", 409)
    assert (await wallet.get_wallet(customer.id)).balance_minor == 5100 - 1190


async def test_manual_payment_is_recorded_once(reseller):
    issued = await reseller.invoice(await reseller.customer(method="manual"), 1000)

    status, paid = await reseller.act(issued, "mark-paid", {"reference": "Transfer of 12 January"})
    again, _ = await reseller.act(issued, "mark-paid", {"reference": "Transfer of 13 January"})

    assert (status, paid["status"], again) == (200, "paid", 409)
    assert [(each["method"], each["reference"]) for each in (await reseller.read(issued))["payments"]] == [
        ("manual", "Transfer of 12 January")
    ]


async def test_written_off_invoice_can_be_paid_late(reseller):
    issued = await reseller.invoice(await reseller.customer(method="manual"), 1000)

    _, written_off = await reseller.act(issued, "write-off", {"reason": "Moved away"})
    _, collected = await reseller.act(issued, "collect")
    _, paid = await reseller.act(issued, "mark-paid", {})

    assert (written_off["status"], written_off["amount_due"], written_off["reason"]) == (
        "uncollectible", 0, "Moved away"
    )  # fmt: skip
    assert (collected["code"], paid["status"]) == ("conflict", "paid")


async def test_paid_invoice_cannot_be_voided_or_written_off(reseller):
    issued = await reseller.invoice(await reseller.customer(10_000), 1000, is_collected=True)
    before = await reseller.read(issued)

    for act in ("void", "write-off", "mark-paid", "collect"):
        status, _ = await reseller.act(issued, act, {"reason": "x"})
        assert status == 409, act

    assert await reseller.read(issued) == before


async def read_pdf(client, path, headers=None):
    reply = await client.get(path, headers=headers)
    assert (reply.status_code, reply.content_type) == (200, "application/pdf")
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(await reply.get_data())).pages)


async def test_pdf_shows_what_the_invoice_says(reseller, client):
    customer = await reseller.customer()
    issued = await reseller.invoice(customer, 123_456, -483)

    text = await read_pdf(client, f"{API}/invoices/{issued.id}/pdf", customer.auth)

    for part in ("INV-000001", "Böhm & Söhne GmbH", "Ångströmstraße 5", "1,234.56", "-4.83", "19 %", "Amount due"):
        assert part in text
    assert "1,463.38 EUR" in text


async def test_link_opens_page_and_pdf_until_it_expires(reseller, client, clock):
    issued = await reseller.invoice(await reseller.customer(), 1000)
    _, link = await reseller.act(issued, "link")
    page_path, pdf_path = (link[name].removeprefix("http://comanda.test") for name in ("page_url", "pdf_url"))

    page = await client.get(page_path)
    text = (await page.get_data()).decode()
    pdf = await read_pdf(client, pdf_path)
    forged = await client.get(page_path[:-1] + ("0" if page_path[-1] != "0" else "1"))
    another = await client.get(page_path.replace(f"/{issued.id}?", f"/{issued.id + 1}?"))
    clock.advance(days=61)
    expired = await client.get(page_path)

    assert (page.status_code, page.headers["Cache-Control"]) == (200, "no-store")
    assert "INV-000001" in text
    assert "INV-000001" in pdf
    assert [reply.status_code for reply in (forged, another, expired)] == [404, 404, 404]


async def test_page_without_link_asks_to_sign_in(reseller, client):
    issued = await reseller.invoice(await reseller.customer(), 1000)

    reply = await client.get(f"/reseller/invoices/{issued.id}")

    assert reply.status_code == 303
    assert reply.headers["Location"] == f"/sign-in?next=/reseller/invoices/{issued.id}"


async def test_names_cannot_inject_markup(reseller, client):
    await reseller.customer()
    await Account.filter(owner_id=reseller.id).update(legal_name="<script>alert(1)</script>")
    issued = await reseller.invoice(reseller.customers[0], 1000)
    _, link = await reseller.act(issued, "link")

    text = (await (await client.get(link["page_url"].removeprefix("http://comanda.test"))).get_data()).decode()

    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


async def test_billing_settings_apply_to_later_invoices(reseller):
    customer = await reseller.customer()
    before = await reseller.read(await reseller.invoice(customer, 1000, reference="a"))
    change = {"legal_name": "Neu GmbH", "tax_rate": 7.7, "invoice_prefix": "NEU", "address": None}

    status, changed = await reseller.send("PUT", "/reseller/billing-settings", change)
    after = await reseller.read(await reseller.invoice(customer, 1000, reference="b"))

    assert (status, changed["tax_rate"], changed["address"], changed["due_days"]) == (200, 7.7, None, 14)
    assert await reseller.get("/reseller/billing-settings") == changed
    assert (after["number"], after["seller"]["name"], after["tax_rate"]) == ("NEU-000002", "Neu GmbH", 7.7)
    assert (before["number"], before["seller"]["name"], before["tax_rate"]) == ("INV-000001", "Böhm & Söhne GmbH", 19)


@pytest.mark.parametrize(
    ("field", "value"), [("tax_rate", 100.1), ("invoice_prefix", "a-b"), ("due_days", 366), ("tax_rate", 1.00001)]
)
async def test_invalid_billing_settings_are_refused(reseller, field, value):
    before = await reseller.get("/reseller/billing-settings")

    status, document = await reseller.send("PUT", "/reseller/billing-settings", {field: value})

    assert (status, list(document["errors"])) == (422, [field])
    assert await reseller.get("/reseller/billing-settings") == before
