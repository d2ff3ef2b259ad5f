"""Messages sent by other plugins."""

import pytest
from comanda.accounts import services as accounts
from comanda.basics import ValidationFailed
from comanda.contracts import Caller, CallerKind
from comanda.platform.db import sql
from comanda_notifications import api

NAME = "customers.code"


VALUES = {"code": "834112", "store": "Tasca", "minutes": 10}


COURIER = CallerKind("courier", "cou_")


@pytest.mark.parametrize(
    ("name", "channel", "values"),
    [("nobody.has_it", "sms", VALUES), (NAME, "push", VALUES), (NAME, "sms", {"code": "1"})],
)
async def test_unknown_template_channel_or_value_raises(owner, count_messages, name, channel, values):
    with pytest.raises(LookupError):
        await api.send_template(name, to="+351911111111", channel=channel, values=values, owner_id=owner.id)

    assert await count_messages() == 0


async def test_invalid_address_raises(send_code, owner, count_messages):
    with pytest.raises(ValidationFailed):
        await api.send_template(NAME, to="ana", channel="sms", values=VALUES, owner_id=owner.id)

    assert await count_messages() == 0


async def test_push_template_uses_language_of_device(owner, store_id):
    issued = await accounts.issue_token(COURIER, owner.id, [], name="phone", subject_id=7)
    courier = Caller("courier", issued.id, owner.id, None, 7, frozenset(), None)
    await api.register_device(courier, "ios", "phone", "1", "pt-PT")
    await api.register_device(courier, "web", "laptop")
    values = {"number": 18, "store": "Tasca", "link": "https://a.example/t/x"}

    number = await api.push_template(
        "orders.delivered", "courier", [7], {"order_id": 4}, values=values, owner_id=owner.id, store_id=store_id
    )

    stored = await sql.fetch("SELECT subject FROM notifications_message WHERE owner_id = $1 ORDER BY id", owner.id)
    assert (number, [one["subject"] for one in stored]) == (2, ["O pedido 18 foi entregue", "Order 18 was delivered"])


async def test_code_is_in_language_of_request(client, owner, store_id):
    await client.post("/api/v1/drivers", headers=owner.auth, json={"name": "Rui", "phone": "+351967654321"})
    headers = {"Accept-Language": "de-CH;q=0.8, xx, pt-BR"}

    for path, body in (
        (f"restaurants/{store_id}/customer/otp/request", {"phone": "+351911111111"}),
        ("driver/login/request", {"phone": "+351967654321"}),
    ):
        assert (await client.post(f"/api/v1/{path}", headers=headers, json=body)).status_code == 200

    sent = await sql.fetch("SELECT text FROM notifications_message WHERE owner_id = $1 ORDER BY id", owner.id)
    customer, driver = (one["text"].partition(" ") for one in sent)
    assert customer[0].isdigit()
    assert customer[2].startswith("é o seu código para Store")
    assert driver[0].isdigit()
    assert driver[2].startswith("é o seu código para entrar como entregador.")
