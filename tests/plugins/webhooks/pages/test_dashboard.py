"""Webhooks in the dashboard."""

import re

import pytest
from comanda.devkit.testing import sign_in

URL = "https://93.184.215.14/hook"


@pytest.fixture
async def endpoint_id(dashboard):
    page = await dashboard.post("/webhooks/new", {"url": URL, "events": "order.*"}, status=200)
    return int(re.search(r"/dashboard/webhooks/(\d+)", page)[1])


async def test_an_endpoint_is_created_with_a_secret_that_is_shown_once(dashboard):
    form = await dashboard.get("/webhooks/new")
    page = await dashboard.post("/webhooks/new", {"url": URL, "events": "order.created"}, status=200)
    secret = re.search(r"whsec_[\w+/=]+", page)[0]
    listed = await dashboard.get("/webhooks")

    assert "An order was placed" in form
    assert URL in listed
    assert "An order was placed" in listed
    assert secret not in listed


async def test_wrong_addresses_and_missing_events_are_named_beside_their_fields(dashboard):
    page = await dashboard.post("/webhooks/new", {"url": "ftp://a.example", "events": ""}, status=422)

    assert 'value="ftp://a.example"' in page
    assert 'aria-describedby="events-text"' in page or 'aria-invalid="true"' in page


async def test_a_test_is_sent_logged_and_sent_again(dashboard, endpoint_id):
    await dashboard.post(f"/webhooks/{endpoint_id}/test")
    log = await dashboard.get(f"/webhooks/{endpoint_id}?status=pending&event=ping")
    delivery = re.search(rf"/webhooks/{endpoint_id}/deliveries/(\d+)\"", log)[1]
    detail = await dashboard.get(f"/webhooks/{endpoint_id}/deliveries/{delivery}")
    await dashboard.post(f"/webhooks/{endpoint_id}/deliveries/{delivery}/redeliver")
    after = await dashboard.get(f"/webhooks/{endpoint_id}")

    assert "A test" in log
    assert "&#34;event&#34;: &#34;ping&#34;" in detail
    assert "Replaced" in after


async def test_an_endpoint_is_paused_changed_rotated_replayed_and_deleted(dashboard, endpoint_id):
    path = f"/webhooks/{endpoint_id}"
    await dashboard.post(f"{path}/pause", {"paused": "true"})
    paused = await dashboard.get(path)
    await dashboard.post(f"{path}/pause", {"paused": "false"})
    await dashboard.post(f"{path}/edit", {"url": f"{URL}/new", "events": "order.paid"})
    rotated = await dashboard.post(f"{path}/rotate-secret", status=200)
    wrong = await dashboard.post(f"{path}/replay", {"since": "", "status": "failed"}, status=422)
    await dashboard.post(f"{path}/replay", {"since": "2026-01-01T00:00", "until": "", "status": "failed"})
    changed = await dashboard.get(path)
    await dashboard.post(f"{path}/delete")

    assert "Paused" in paused
    assert "whsec_" in rotated
    assert 'aria-invalid="true"' in wrong
    assert f"{URL}/new" in changed
    assert "An order was paid in full" in changed
    await dashboard.get(path, status=404)


async def test_samples_of_every_event_are_shown(dashboard):
    assert "&#34;order_id&#34;" in await dashboard.get("/webhooks/events")


async def test_others_neither_see_nor_reach_an_endpoint(app, owner, other_owner, endpoint_id):
    stranger = await sign_in(app, other_owner.id)
    cook = await sign_in(app, owner.id, scopes=["orders:read"])

    await stranger.get(f"/webhooks/{endpoint_id}", status=404)
    await cook.get("/webhooks", status=403)
    assert "/dashboard/webhooks" not in await cook.get("/account")
