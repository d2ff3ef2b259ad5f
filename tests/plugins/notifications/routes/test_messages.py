"""Routes of message templates."""

import pytest

NAME = "customers.code"


SMS, EMAIL = f"/message-templates/{NAME}/sms", f"/message-templates/{NAME}/email"
ALL = ["received", "ready", "on_its_way", "near", "delivered", "failed", "cancelled"]


async def test_list_returns_templates_with_texts(store, runtime, get_code_template):
    listed = await store.get("/message-templates?per_page=100")
    template = await get_code_template()
    english = next(one for one in template["texts"] if (one["channel"], one["language"]) == ("email", "en"))

    names = [one["name"] for one in listed["data"]]
    known = runtime.registry.message_templates.values()
    assert names == sorted(one.name for one in known if one.is_editable)
    assert "webhook_endpoint.failing" not in names
    assert listed["total"] == len(names)
    assert template["fields"][0] == {"name": "code", "sample": "834112", "is_required": True}
    assert english == {
        "channel": "email", "language": "en", "subject": "Your code for {store}", "is_own": False,
        "text": "{code} is your code for {store}. It is valid for {minutes} minutes. Do not share it.",
        "preview": {
            "subject": "Your code for Tasca da Ana",
            "text": "834112 is your code for Tasca da Ana. It is valid for 10 minutes. Do not share it.",
        },
    }  # fmt: skip


async def test_list_is_paged(store):
    second = await store.get("/message-templates?per_page=1&page=2")
    none = await store.get("/message-templates?page=99")

    assert (len(second["data"]), second["current_page"], none["data"]) == (1, 2, [])


@pytest.mark.parametrize(
    "path",
    ["/message-templates/nobody.has_it/sms/en", f"/message-templates/{NAME}/push/en",
     f"/message-templates/{NAME}/fax/en", "/message-templates/webhook_endpoint.gone/email/en",
     "/message-templates/%00/sms/en"],
)  # fmt: skip
async def test_unknown_template_or_channel_returns_404(store, put_text, path):
    for method, body in (("PUT", {"text": "{code}", "subject": "x"}), ("DELETE", None)):
        assert (await store.send(method, path, body)).status == 404
    assert await put_text() == []


async def test_read_scope_cannot_update_texts(store, owner, client, put_text):
    reads = await owner.token_with("restaurants:read")
    path = f"/api/v1/restaurants/{store.id}{SMS}/en"

    assert (await client.put(path, headers=reads, json={"text": "{code}"})).status_code == 403
    assert (await client.delete(path, headers=reads)).status_code == 403
    assert await put_text() == []


async def test_owner_updates_messages_and_channels(store):
    first = await store.send("PUT", "/order-messages", {"messages": ["ready", "ready", "received"]})
    second = await store.send("PUT", "/order-messages", {"channels": ["email", "sms", "email"]})

    assert first.document == {"messages": ["ready", "received"], "channels": ["push", "sms", "email"], "reply_to": None}
    assert second.document == {"messages": ["ready", "received"], "channels": ["email", "sms"], "reply_to": None}
    assert (await store.get("/order-messages")).document == second.document
    assert (await store.send("PUT", "/order-messages", {"messages": []}))["messages"] == []


async def test_address_for_answers_stays_until_it_is_changed(store):
    bodies = [{"reply_to": "bar@example.com"}, {"messages": ["ready"]}, {"reply_to": None}]

    found = [(await store.send("PUT", "/order-messages", body))["reply_to"] for body in bodies]

    assert found == ["bar@example.com", "bar@example.com", None]


@pytest.mark.parametrize(
    "body",
    [
        {"reply_to": "bar"},
        {"messages": ["x"]},
        {"messages": "ready"},
        {"channels": []},
        {"channels": ["fax"]},
        {"channels": [None]},
    ],
)
async def test_invalid_choice_is_rejected(notifying_store, body):
    assert (await notifying_store.send("PUT", "/order-messages", body)).status == 422
    assert (await notifying_store.get("/order-messages"))["messages"] == ALL


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"quiet_from": "22:00"}, "quiet_until"),
        ({"quiet_from": "22:00", "quiet_until": "22:00"}, "quiet_until"),
        ({"quiet_from": "25:00", "quiet_until": "08:00"}, "quiet_from"),
        ({"monthly_limit": -1}, "monthly_limit"),
    ],
)
async def test_wrong_limits_are_refused(set_limits, fields, wrong):
    status, answer = await set_limits(**fields)

    assert (status, list(answer["errors"])) == (422, [wrong])
