"""The home page of the app."""

import re

from comanda.accounts import web_sessions


async def test_nobody_is_led_to_the_sign_in_page(web_view):
    response = await web_view.open("/app/home")

    assert (response.status_code, response.headers["Location"]) == (303, "/sign-in?next=/app/home")


async def test_page_shows_own_stores_alone(owner, other_owner, owner_phone, web_view):
    await owner.store(title="Tasca <b>do</b> Rui")
    await other_owner.store(title="Elsewhere")
    await web_view.open(await owner_phone.create_handoff())

    response = await web_view.open("/app/home")

    page = await response.get_data(as_text=True)
    assert response.headers["Cache-Control"] == "no-store"
    assert "Tasca &lt;b&gt;do&lt;/b&gt; Rui" in page
    assert "Elsewhere" not in page


async def test_button_signs_out(owner_phone, web_view):
    await web_view.open(await owner_phone.create_handoff())
    secret = web_view.cookies["comanda_session"]
    page = await (await web_view.open("/app/home")).get_data(as_text=True)
    token = re.search(r'name="csrf_token" value="(\w+)"', page)[1]

    assert (await web_view.open("/sign-out", "POST", form={"csrf_token": "wrong"})).status_code == 403
    assert await web_sessions.find_session(secret) is not None
    assert (await web_view.open("/sign-out", "POST", form={"csrf_token": token})).status_code == 303

    assert await web_sessions.find_session(secret) is None
    assert not await web_view.is_signed_in()
    assert (await owner_phone.send("GET", "/api/v1/app/me")).status == 200


async def test_session_of_another_kind_is_refused(owner, store, web_view):
    secret, _ = await web_sessions.create_session(owner_id=owner.id, kind="driver", store_id=store.id, subject_id=1)
    web_view.client.set_cookie("localhost", "comanda_session", secret)

    response = await web_view.open("/app/home")

    assert response.status_code == 403
    assert owner.email not in await response.get_data(as_text=True)


async def test_customers_are_led_to_the_sign_in_page(owner, store, web_view):
    secret, _ = await web_sessions.create_session(owner_id=owner.id, kind="customer", store_id=store.id, subject_id=1)
    web_view.client.set_cookie("localhost", "comanda_session", secret)

    response = await web_view.open("/app/home")

    assert (response.status_code, response.headers["Location"]) == (303, "/sign-in?next=/app/home")
