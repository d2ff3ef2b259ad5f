import pytest
from comanda_deliverect import client
from comanda_deliverect.client import Credentials, DeliverectInvalid, DeliverectRefused, DeliverectUnavailable


@pytest.fixture
def credentials(deliverect):
    client_id = deliverect.add_client()
    return Credentials(client_id, deliverect.clients[client_id], "webhook-secret")


async def send(credentials, order_id):
    async with client.open_client(credentials) as made:
        await made.update_order_status(order_id, {"status": 20})


async def test_token_is_used_again(deliverect, credentials):
    order = deliverect.add_order("l1")

    await send(credentials, order["_id"])
    await send(credentials, order["_id"])

    assert deliverect.requests.count(("POST", "oauth/token")) == 1
    assert deliverect.list_statuses(order["_id"]) == [20, 20]


async def test_token_that_is_refused_is_forgotten(deliverect, credentials):
    order = deliverect.add_order("l1")
    await send(credentials, order["_id"])
    deliverect.tokens.clear()

    with pytest.raises(DeliverectRefused):
        await send(credentials, order["_id"])
    await send(credentials, order["_id"])

    assert deliverect.list_statuses(order["_id"]) == [20, 20]


@pytest.mark.parametrize(("status", "failure"), [
    (404, DeliverectInvalid), (422, DeliverectInvalid), (429, DeliverectUnavailable), (302, DeliverectUnavailable),
    (500, DeliverectUnavailable), (403, DeliverectRefused),
])  # fmt: skip
async def test_failures_are_told_apart(deliverect, credentials, status, failure):
    deliverect.failures = [status]

    with pytest.raises(failure, match=str(status)):
        await send(credentials, "o1")


async def test_slow_answer_is_a_failure(deliverect, credentials, monkeypatch):
    monkeypatch.setattr(client, "TIMEOUT_SECONDS", 0.05)
    deliverect.delay = 0.3

    with pytest.raises(DeliverectUnavailable, match="in time"):
        await send(credentials, "o1")


def test_secrets_are_not_shown(credentials):
    assert "secret" not in repr(credentials).replace("client_secret", "")
