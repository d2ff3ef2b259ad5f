"""Stores that customers can reach."""

from comanda.platform.db import sql

ADA = {"name": "Ada Lovelace", "email": "Ada@Example.com", "password": "correct horse", "device": "Ada's phone"}


PHONE = "+351912345678"


async def test_unknown_or_unpublished_store_returns_404(make_shopper, store):
    await store.send("PUT", "/settings", {"is_published": False})
    bodies = {
        "register": ADA, "login": ADA, "otp/request": {"phone": "+351912345678"},
        "otp/verify": {"phone": "+351912345678", "code": "123456"},
    }  # fmt: skip
    for act, body in bodies.items():
        for somebody in (make_shopper(), make_shopper(987_654_321)):
            assert (await somebody.call_public(act, **body)).status == 404


async def test_store_of_suspended_owner_returns_404(ada, make_shopper, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert (await make_shopper().call_public("login", email="ada@example.com", password="correct horse")).status == 404
    assert (await make_shopper().call_public("otp/request", phone=PHONE)).status == 404
    assert (await ada.send("GET", "/me")).status == 403
