"""QR codes of stores and tables."""

import re
from io import BytesIO
from urllib.parse import unquote

import pytest
import segno
from comanda_storefront.services import table_codes


def draw_qr_code(address, kind):
    file = BytesIO()
    segno.make_qr(address, error="m").save(file, kind=kind, scale=10, border=4)
    return file.getvalue()


async def test_code_leads_to_store_page(get_qr_code, store):
    url = (await store.get())["url"]

    answer = await get_qr_code()

    assert (answer.status_code, answer.content_type) == (200, "image/svg+xml")
    assert await answer.get_data() == draw_qr_code(url, "svg")
    assert "<script" not in await answer.get_data(as_text=True)


@pytest.mark.parametrize(
    ("table", "spelled"), [("4", "4"), ("Terrace%201", "Terrace%201"), ("%C3%A9%26%23", "%C3%A9%26%23")]
)
async def test_table_code_leads_to_its_table(get_qr_code, store, table, spelled):
    found = await store.get()
    url = await table_codes.build_table_url(store.owner.id, store.id, found["slug"], unquote(table))

    answer = await get_qr_code(f"?table={table}&format=png")

    body = await answer.get_data()
    assert (answer.content_type, body[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    assert re.fullmatch(rf"{re.escape(found['url'])}\?table={spelled}#code=[\w-]{{16}}", url)
    assert body == draw_qr_code(url, "png")


async def test_file_is_named_after_table(get_qr_code, store):
    slug = (await store.get())["slug"]

    assert (await get_qr_code("?table=4")).headers["Content-Disposition"] == f'inline; filename="{slug}-table-4.svg"'
    assert (await get_qr_code("?table=%22%0d%0aX: y")).headers[
        "Content-Disposition"
    ] == f'inline; filename="{slug}-table-Xy.svg"'
    assert (await get_qr_code("?table=&format=png")).headers["Content-Disposition"] == f'inline; filename="{slug}.png"'


async def test_shop_has_code_but_no_tables(get_qr_code, open_store):
    shop = await open_store("retail")

    assert (await get_qr_code(store_id=shop.id)).status_code == 200
    refused = await get_qr_code("?table=4", store_id=shop.id)
    assert list((await refused.get_json())["errors"]) == ["table"]
