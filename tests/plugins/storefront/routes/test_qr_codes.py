"""The routes of QR codes."""

import pytest


@pytest.mark.parametrize(("query", "field"), [("?format=gif", "format"), (f"?table={'9' * 21}", "table")])
async def test_invalid_query_returns_422(get_qr_code, query, field):
    answer = await get_qr_code(query)

    assert answer.status_code == 422
    assert list((await answer.get_json())["errors"]) == [field]


async def test_code_of_other_owner_returns_404(get_qr_code, other_store, owner, front):
    assert (await get_qr_code(store_id=other_store.id)).status_code == 404
    assert (await get_qr_code(headers=await owner.token_with("orders:read"))).status_code == 403
    assert (await get_qr_code(headers=front.auth)).status_code == 401


async def test_sheet_of_other_owner_returns_404(get_qr_sheet, other_store, owner, front):
    assert (await get_qr_sheet("1", store_id=other_store.id))[0].status_code == 404
    assert (await get_qr_sheet("1", headers=await owner.token_with("orders:read")))[0].status_code == 403
    assert (await get_qr_sheet("1", headers=front.auth))[0].status_code == 401
