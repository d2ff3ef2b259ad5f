"""The points of who is signed in on the store's page."""

import pytest
from comanda.accounts import administration, web_sessions
from comanda.platform.db import sql
from comanda.web import customer_cookie

OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
async def slug(store):
    return await sql.fetch_value(
        "SELECT slug FROM core_store WHERE id = $1 AND owner_id = $2", store.id, store.owner.id
    )


@pytest.fixture
async def cookie(owner, store, ada):
    secret, _ = await web_sessions.create_session(
        owner_id=owner.id, kind="customer", store_id=store.id, subject_id=ada.id, scopes=("customer",), name="x"
    )
    return {"Cookie": customer_cookie(store.id, secret).partition(";")[0]}


async def test_page_shows_points_of_who_is_signed_in(client, slug, ada, cookie, paid_order):
    nobody = await client.get(f"/s/{slug}/loyalty", headers=OWN_PAGE)
    known = await client.get(f"/s/{slug}/loyalty", headers={**OWN_PAGE, **cookie})

    assert (await nobody.get_json())["programme"] is None
    assert (await known.get_json())["balance"] == 20
    assert known.headers["Cache-Control"] == "no-store"


async def test_page_of_a_suspended_owner_is_not_found(client, slug, owner):
    await administration.suspend_owner(owner.id, "Unpaid")

    assert (await client.get(f"/s/{slug}/loyalty", headers=OWN_PAGE)).status_code == 404
