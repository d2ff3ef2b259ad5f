"""Messages in the dashboard."""

from comanda.contracts import OutgoingMessage
from comanda.devkit.testing import sign_in
from comanda.platform.db import sql
from comanda_notifications import api

NAME = "customers.code"


async def test_messages_are_logged_with_filters(dashboard, owner, store):
    async with sql.transaction():
        message = OutgoingMessage("email", "rita@example.com", "<b>Ready</b>", "Your order")
        await api.send(message, owner_id=owner.id, store_id=store.id, purpose="orders.ready")
    page = await dashboard.get(f"/stores/{store.id}/messages?status=pending&search=rita")

    assert "rita@example.com" in page
    assert "&lt;b&gt;Ready&lt;/b&gt;" in page
    assert "rita@example.com" not in await dashboard.get(f"/stores/{store.id}/messages?status=sent")


async def test_what_guests_hear_of_is_chosen(dashboard, store):
    path = f"/stores/{store.id}/messages/orders"
    await dashboard.post(path, {"messages": "ready", "channels": "email"})
    page = await dashboard.get(path)
    wrong = await dashboard.post(path, {"messages": "ready", "channels": ""}, status=422)

    assert 'value="ready" checked' in page
    assert 'class="problem"' in wrong


async def test_an_own_text_is_previewed_and_reset(dashboard, store):
    path = f"/stores/{store.id}/messages/templates/{NAME}"
    fields = {"channel": "email", "language": "pt", "subject": "Código", "text": "Olá, código: {code}"}
    listed = await dashboard.get(f"/stores/{store.id}/messages/templates")
    to = await dashboard.post(path, fields)
    page = await dashboard.get(to)
    wrong = await dashboard.post(path, {**fields, "text": "Sem código"}, status=422)
    await dashboard.post(f"{path}/reset", {"channel": "email", "language": "pt"})

    assert NAME in listed
    assert "Olá, código: {code}" in page
    assert page.count("Olá, código") == 2
    assert "Sem código</textarea>" in wrong
    assert "Olá, código" not in await dashboard.get(to)


async def test_stores_of_others_are_not_found(app, other_owner, store):
    stranger = await sign_in(app, other_owner.id)

    for page in ("", "/orders", "/templates", f"/templates/{NAME}"):
        await stranger.get(f"/stores/{store.id}/messages{page}", status=404)
