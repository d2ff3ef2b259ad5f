"""The page on which guests ask for an invoice and read it."""

import pytest
from comanda.accounts import administration

LINK = 'href="/invoice/'


async def test_guest_asks_for_an_invoice_and_reads_it(guest, documents):
    assert f'{LINK}{guest.token}"' in await guest.track()
    status, form = await guest.read()
    assert (status, "data-guest-form" in form) == (200, True)

    answer = await guest.request(name="Nord & <b>Wind</b>", address="Hafen 7\n20457 Hamburg")

    assert answer == (201, {"url": f"/invoice/{guest.token}"})
    status, page = await guest.read()
    assert (status, "data-guest-form" in page) == (200, False)
    for text in ("INV-000001", "Nord &amp; &lt;b&gt;Wind&lt;/b&gt;", "DE812345678", "Tasca do Mar Lda", "€25.00"):
        assert text in page
    assert "Rechnung" in (await guest.read(language="de"))[1]
    assert await documents() == [("invoice", "INV-000001", 25)]


async def test_guest_who_asks_again_gets_the_same_invoice(guest, gather, documents):
    answers = await gather(*(guest.request(name=f"Guest {number}") for number in range(4)))

    assert {status for status, _ in answers} == {201}
    assert len(await documents()) == 1


async def test_guest_reads_credit_notes_and_asks_again_after_a_cancellation(guest, store, documents):
    await guest.request()
    (invoice,) = (await store.get("/invoices"))["data"]
    note = await store.send("POST", f"/invoices/{invoice['id']}/cancel", {"reason": "Wrong address"})

    status, form = await guest.read()
    assert (status, "data-guest-form" in form) == (200, True)
    _, page = await guest.read(f"?document={note['id']}")
    assert ("Credit note" in page, "Wrong address" in page, "-€25.00" in page) == (True, True, True)
    assert (await guest.request(name="Südwind"))[0] == 201
    assert "Südwind" in (await guest.read())[1]
    assert len(await documents()) == 3


async def test_page_is_private_and_other_documents_are_not_there(guest, client, new_order, pay, new_guest, store):
    other = await new_order()
    await pay(other)
    await new_guest(other).request(name="Somebody Else")
    (invoice,) = (await store.get("/invoices"))["data"]

    response = await client.get(f"/invoice/{guest.token}?document={invoice['id']}")
    assert "Somebody Else" not in await response.get_data(as_text=True)
    assert (response.headers["Cache-Control"], response.headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    for token in ("x", guest.token[:-1] + "_", "é" * 43, guest.token * 9):
        guest.token = token
        assert (await guest.read())[0] == 404
        assert (await guest.request())[0] == 404


async def test_order_that_is_not_paid_has_no_link_and_no_form(seller, new_order, new_guest, documents):
    guest = new_guest(await new_order())

    assert LINK not in await guest.track()
    status, page = await guest.read()
    assert (status, "data-guest-form" in page) == (200, False)
    status, answer = await guest.request()
    assert (status, answer["message"]) == (409, "You can ask for an invoice once the order is paid.")
    assert await documents() == []


@pytest.mark.parametrize("fields", [{"is_offered": False}, {"legal_name": ""}])
async def test_store_that_offers_no_invoices_has_no_link(guest, set_seller, documents, fields):
    await set_seller(**fields)

    assert LINK not in await guest.track()
    assert (await guest.read())[0] == 404
    assert (await guest.request())[0] == 404
    assert await documents() == []


async def test_invoice_that_was_issued_stays_readable(guest, set_seller):
    await guest.request()
    await set_seller(is_offered=False)

    assert LINK in await guest.track()
    assert "INV-000001" in (await guest.read())[1]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 256}, "name"),
        ({"address": " \n "}, "address"),
        ({"address": ["x"]}, "address"),
        ({"address": "x" * 501}, "address"),
        ({"tax_number": "1" * 51}, "tax_number"),
        ({"email": "nobody"}, "email"),
        ({"email": "a@b@c"}, "email"),
        ({"client_uuid": None}, "client_uuid"),
    ],
)
async def test_form_that_says_nothing_usable_is_refused(guest, documents, fields, problem):
    status, answer = await guest.request(**fields)

    assert (status, list(answer["errors"])) == (422, [problem])
    assert await documents() == []


async def test_other_sites_cannot_ask_for_invoices(guest, documents):
    status, _ = await guest.request(headers={"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"})

    assert status == 403
    assert await documents() == []


async def test_suspended_owner_has_no_page(guest, owner):
    await guest.request()
    await administration.suspend_owner(owner.id, "Unpaid")

    assert (await guest.read())[0] == 404
    assert (await guest.request())[0] == 404
