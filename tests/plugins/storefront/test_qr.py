"""QR codes that lead to a store's page and its tables."""

import hashlib
import re
from base64 import b64encode
from io import BytesIO
from urllib.parse import urlencode

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


@pytest.fixture
def ask_sheet(ask):
    """Ask for a sheet of the test's store, as text."""

    async def send(tables=None, **options):
        query = "" if tables is None else "?" + urlencode({"tables": tables})
        answer = await ask(f"/sheet{query}", **options)
        return answer, await answer.get_data(as_text=True)

    return send


async def test_a_sheet_has_a_card_for_each_table_with_the_code_that_leads_there(ask_sheet, store):
    url = (await store.get())["url"]

    answer, text = await ask_sheet("1-3, Terrace, 7, 2")

    assert (answer.status_code, answer.content_type) == (200, "text/html; charset=utf-8")
    assert re.findall(r'class="table">([^<]+)<', text) == ["Table 1", "Table 2", "Table 3", "Terrace", "Table 7"]
    code = segno.make_qr(f"{url}?table=Terrace", error="q").svg_inline(
        border=4, omitsize=True, svgclass=None, lineclass=None
    )
    assert code in text
    assert text.count("<svg") == 5
    assert "<script" not in text


async def test_a_sheet_loads_nothing_and_allows_no_style_but_its_own(ask_sheet):
    answer, text = await ask_sheet("1")

    styles = re.search(r"<style>(.*?)</style>", text, re.S)[1]
    digest = b64encode(hashlib.sha256(styles.encode()).digest()).decode()
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}';")
    assert not re.search(r"(src|href)=", text)


async def test_what_owners_write_is_only_text_on_a_sheet(ask_sheet, store):
    await store.send("PUT", "/settings", {"title": "<script>1</script>"})

    _, text = await ask_sheet("<b>1</b>")

    assert "<b>1" not in text
    assert "<script" not in text
    assert "&lt;b&gt;1&lt;/b&gt;" in text


async def test_without_tables_a_sheet_has_the_stores_own_card(ask_sheet, open_store):
    shop = await open_store("retail")

    answer, text = await ask_sheet(store_id=shop.id)

    assert (answer.status_code, text.count("<svg"), "Table" in text) == (200, 1, False)
    refused, _ = await ask_sheet("1", store_id=shop.id)
    assert list((await refused.get_json())["errors"]) == ["tables"]


@pytest.mark.parametrize("tables", ["1-201", "1-999999", "9-1", "x" * 21, " , ,", "1," * 900 + "2-202", "y" * 2001])
async def test_sheets_that_cannot_be_drawn_are_refused(ask_sheet, tables):
    answer, _ = await ask_sheet(tables)

    assert answer.status_code == 422
    assert list((await answer.get_json())["errors"]) == ["tables"]


async def test_the_longest_sheet_has_two_hundred_cards(ask_sheet):
    answer, text = await ask_sheet("1-200")

    assert (answer.status_code, text.count("<svg"), text.count("<ul>")) == (200, 200, 34)


async def test_sheets_are_the_owners_to_draw(ask_sheet, other_store, owner, front):
    assert (await ask_sheet("1", store_id=other_store.id))[0].status_code == 404
    assert (await ask_sheet("1", headers=await owner.token_with("orders:read")))[0].status_code == 403
    assert (await ask_sheet("1", headers=front.auth))[0].status_code == 401
