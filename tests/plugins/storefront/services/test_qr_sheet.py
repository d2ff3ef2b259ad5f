"""Sheets of QR codes."""

import hashlib
import re
from base64 import b64encode

import pytest
import segno
from comanda_storefront.services import table_codes


async def test_sheet_has_card_with_code_for_each_table(get_qr_sheet, store):
    slug = (await store.get())["slug"]
    url = await table_codes.build_table_url(store.owner.id, store.id, slug, "Terrace")

    answer, text = await get_qr_sheet("1-3, Terrace, 7, 2")

    assert (answer.status_code, answer.content_type) == (200, "text/html; charset=utf-8")
    assert re.findall(r'class="table">([^<]+)<', text) == ["Table 1", "Table 2", "Table 3", "Terrace", "Table 7"]
    code = segno.make_qr(url, error="q").svg_inline(border=4, omitsize=True, svgclass=None, lineclass=None)
    assert code in text
    assert text.count("<svg") == 5
    assert "<script" not in text


async def test_sheet_loads_nothing_and_allows_own_style_only(get_qr_sheet):
    answer, text = await get_qr_sheet("1")

    styles = re.search(r"<style>(.*?)</style>", text, re.S)[1]
    digest = b64encode(hashlib.sha256(styles.encode()).digest()).decode()
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}';")
    assert not re.search(r"(src|href)=", text)


async def test_text_of_owners_is_escaped(get_qr_sheet, store):
    await store.send("PUT", "/settings", {"title": "<script>1</script>"})

    _, text = await get_qr_sheet("<b>1</b>")

    assert "<b>1" not in text
    assert "<script" not in text
    assert "&lt;b&gt;1&lt;/b&gt;" in text


async def test_sheet_without_tables_has_store_card(get_qr_sheet, open_store):
    shop = await open_store("retail")

    answer, text = await get_qr_sheet(store_id=shop.id)

    assert (answer.status_code, text.count("<svg"), "Table" in text) == (200, 1, False)
    refused, _ = await get_qr_sheet("1", store_id=shop.id)
    assert list((await refused.get_json())["errors"]) == ["tables"]


@pytest.mark.parametrize("tables", ["1-201", "1-999999", "9-1", "x" * 21, " , ,", "1," * 900 + "2-202", "y" * 2001])
async def test_invalid_tables_return_422(get_qr_sheet, tables):
    answer, _ = await get_qr_sheet(tables)

    assert answer.status_code == 422
    assert list((await answer.get_json())["errors"]) == ["tables"]


async def test_sheet_has_at_most_200_cards(get_qr_sheet):
    answer, text = await get_qr_sheet("1-200")

    assert (answer.status_code, text.count("<svg"), text.count("<ul>")) == (200, 200, 34)
