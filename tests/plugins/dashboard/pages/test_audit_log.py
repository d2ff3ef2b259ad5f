"""The audit log in the dashboard."""

from comanda_dashboard.pages.audit_sentences import describe_action, list_actions


async def test_changes_are_sentences_with_filters(dashboard, store, owner, clock):
    await dashboard.post(f"/stores/{store.id}/settings", {"title": "Casa Nova", "timezone": "UTC"})
    today = clock().date().isoformat()

    page = await dashboard.get(f"/audit-log?actor_kind=owner&actor_id={owner.id}&since={today}&until={today}")
    other = await dashboard.get("/audit-log?action=post_tokens")
    crooked = await dashboard.get("/audit-log?since=soon")

    assert '<td data-label="What">Changed the settings of the store' in page
    assert "No changes found" in other
    assert "Changed the settings of the store" in crooked


def test_every_action_has_a_sentence(app):
    sentences = dict(list_actions())

    assert len(sentences) > 100
    assert [text for text in sentences.values() if not text or "_" in text or text.endswith(".")] == []
    assert describe_action("mcp/staff/pause_store") == "Pause store, through an assistant"
