"""From its cause to the service: a guest's order is ready, and a guest asks for a code."""

import re

import pytest
from comanda.devkit.testing import line, process_queue
from comanda.platform.db import sql
from comanda_notifications.services.sender import QUEUES

PHONE = "+351911111111"
[SMS] = [queue for queue in QUEUES if queue.name.endswith("sms")]


@pytest.fixture
async def no_other_messages(app):
    await sql.execute("DELETE FROM notifications_message WHERE status = 'pending'")


async def test_guest_hears_that_the_order_is_ready(store, service, dispatch, no_other_messages):
    await store.send("PUT", "/order-messages", {"messages": ["ready"], "channels": ["sms"]})
    placed = await store.order(line(await store.item("Soup", price=10)), phone=PHONE)
    await store.set_status(placed["id"], "ready")

    await dispatch()
    await process_queue(SMS)

    [(path, document)] = service.received
    assert path == f"/messages/{PHONE}"
    assert f"order {placed['number']} is ready" in document["message"]


async def test_guest_gets_a_code_once_the_service_is_back(store, client, service, clock, no_other_messages):
    service.status = 503
    path = f"/api/v1/restaurants/{store.id}/customer/otp/request"
    response = await client.post(path, json={"phone": PHONE})
    await process_queue(SMS)
    service.status = 200
    clock.advance(seconds=40)
    await process_queue(SMS)

    refused, accepted = [document["message"] for _, document in service.received]
    assert response.status_code == 200
    assert refused == accepted
    assert re.match(r"\d{6}", accepted)
