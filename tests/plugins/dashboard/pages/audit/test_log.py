"""The audit log in the dashboard."""

from comanda.devkit.testing import line
from comanda_dashboard.pages.audit.sentences import describe_action, list_actions


async def test_changes_are_sentences_with_filters(dashboard, store, owner, clock):
    await dashboard.post(f"/stores/{store.id}/settings", {"title": "Casa Nova", "timezone": "UTC"})
    today = clock().date().isoformat()

    page = await dashboard.get(f"/audit-log?actor_kind=owner&actor_id={owner.id}&since={today}&until={today}")
    other = await dashboard.get("/audit-log?action=post_tokens")
    crooked = await dashboard.get("/audit-log?since=soon")

    assert '<td data-label="What">Changed the settings of the store' in page
    assert "No changes found" in other
    assert "Changed the settings of the store" in crooked


async def test_entries_name_what_they_are_about(dashboard, store):
    soup = await store.item("Soup <b>", 22.8)
    order = await store.order(line(soup), customer_name="Rosa")
    path = f"/orders/{order['id']}"
    for body in ({"method": "cash", "amount": 12}, {"method": "card_external", "amount": 10.8}):
        assert (await store.send("POST", f"{path}/payments", body)).status == 201
    assert (await store.send("POST", f"{path}/refunds", {"amount": 5, "reason": "Late"})).status == 201
    await store.set_status(order["id"], "preparing")
    assert (await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {"is_sold_out": True})).status == 200

    page = await dashboard.get("/audit-log")

    number = order["number"]
    for sentence in (
        "Added Soup &lt;b&gt; to the menu",
        f"Placed order #{number}",
        f"Took €12.00 in cash for order #{number}",
        f"Took €10.80 for order #{number}: Card, on a terminal of the store",
        f"Refunded €5.00 of order #{number}",
        f"Changed the status of order #{number}",
        "Changed whether Soup &lt;b&gt; is sold out",
    ):
        assert f'<td data-label="What">{sentence}' in page


async def test_entries_without_a_subject_keep_the_sentence_of_their_action(dashboard, store):
    soup = await store.item("Soup", 5)
    assert (await store.send("DELETE", f"/menu/items/{soup['id']}")).status == 204

    page = await dashboard.get("/audit-log")

    assert '<td data-label="What">Added a menu item' in page
    assert '<td data-label="What">Deleted a menu item' in page


def test_every_action_has_a_sentence(app):
    sentences = dict(list_actions())

    assert len(sentences) > 100
    assert [text for text in sentences.values() if not text or "_" in text or text.endswith(".")] == []
    assert describe_action("mcp/staff/pause_store") == "Pause store, through an assistant"
