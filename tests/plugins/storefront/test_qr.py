"""QR codes that lead to a store's page and its tables."""

from io import BytesIO

import pytest
import segno


@pytest.fixture
def ask(store, client, owner):
    """Ask for a code of the test's store."""

    async def send(query="", **options):
        path = f"/api/v1/restaurants/{options.pop('store_id', store.id)}/qr{query}"
        return await client.get(path, headers=options.pop("headers", owner.auth))

    return send


def drawn(address, kind):
    file = BytesIO()
    segno.make_qr(address, error="m").save(file, kind=kind, scale=10, border=4)
    return file.getvalue()


async def test_a_code_leads_to_the_stores_page(ask, store):
    url = (await store.get())["url"]

    answer = await ask()

    assert (answer.status_code, answer.content_type) == (200, "image/svg+xml")
    assert await answer.get_data() == drawn(url, "svg")
    assert "<script" not in await answer.get_data(as_text=True)


@pytest.mark.parametrize(
    ("table", "spelled"), [("4", "4"), ("Terrace%201", "Terrace%201"), ("%C3%A9%26%23", "%C3%A9%26%23")]
)
async def test_a_tables_code_leads_to_its_table(ask, store, table, spelled):
    url = (await store.get())["url"]

    answer = await ask(f"?table={table}&format=png")

    body = await answer.get_data()
    assert (answer.content_type, body[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    assert body == drawn(f"{url}?table={spelled}", "png")


async def test_the_file_is_named_for_the_table(ask, store):
    slug = (await store.get())["slug"]

    assert (await ask("?table=4")).headers["Content-Disposition"] == f'inline; filename="{slug}-table-4.svg"'
    assert (await ask("?table=%22%0d%0aX: y")).headers[
        "Content-Disposition"
    ] == f'inline; filename="{slug}-table-Xy.svg"'
    assert (await ask("?table=&format=png")).headers["Content-Disposition"] == f'inline; filename="{slug}.png"'


@pytest.mark.parametrize(("query", "field"), [("?format=gif", "format"), (f"?table={'9' * 21}", "table")])
async def test_what_cannot_be_drawn_is_refused(ask, query, field):
    answer = await ask(query)

    assert answer.status_code == 422
    assert list((await answer.get_json())["errors"]) == [field]


async def test_a_shop_has_a_code_but_no_tables(ask, open_store):
    shop = await open_store("retail")

    assert (await ask(store_id=shop.id)).status_code == 200
    refused = await ask("?table=4", store_id=shop.id)
    assert list((await refused.get_json())["errors"]) == ["table"]


async def test_codes_are_the_owners_to_draw(ask, other_store, owner, front):
    assert (await ask(store_id=other_store.id)).status_code == 404
    assert (await ask(headers=await owner.token_with("orders:read"))).status_code == 403
    assert (await ask(headers=front.auth)).status_code == 401
