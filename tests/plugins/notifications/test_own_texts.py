"""Owners' own texts, over the API."""

import asyncio

import pytest
from comanda.db import sql
from comanda_notifications.services import template_overrides

NAME = "customers.code"
SMS, EMAIL = f"/message-templates/{NAME}/sms", f"/message-templates/{NAME}/email"


@pytest.fixture
def own(owner):
    """List what the owner has written, as ``(name, channel, language, text)``."""

    async def read():
        rows = await sql.fetch(
            """SELECT name, channel, language, text FROM notifications_template WHERE owner_id = $1
               ORDER BY name, channel, language""",
            owner.id,
        )
        return [tuple(row) for row in rows]

    return read


async def code_template(store):
    listed = await store.get("/message-templates?per_page=100")
    return next(one for one in listed["data"] if one["name"] == NAME)


async def test_every_message_of_a_store_is_listed_with_its_texts(store, runtime):
    listed = await store.get("/message-templates?per_page=100")
    template = await code_template(store)
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


async def test_a_page_has_as_many_as_are_asked_for(store):
    second = await store.get("/message-templates?per_page=1&page=2")
    none = await store.get("/message-templates?page=99")

    assert (len(second["data"]), second["current_page"], none["data"]) == (1, 2, [])


async def test_an_owner_writes_a_text_and_sees_it_filled_in(store, own):
    reply = await store.send("PUT", f"{EMAIL}/pt-br", {"subject": "Código de {store}", "text": " {code}, {store}\0 "})

    assert (reply.status, reply.document) == (200, {
        "channel": "email", "language": "pt-BR", "subject": "Código de {store}", "text": "{code}, {store}",
        "is_own": True, "preview": {"subject": "Código de Tasca da Ana", "text": "834112, Tasca da Ana"},
    })  # fmt: skip
    listed = {(one["channel"], one["language"]): one for one in (await code_template(store))["texts"]}
    assert listed["email", "pt-BR"] == reply.document
    assert listed["email", "pt"]["is_own"] is False
    assert ("sms", "pt-BR") not in listed
    assert await own() == [(NAME, "email", "pt-BR", "{code}, {store}")]


async def test_a_text_is_replaced_and_deleted(store, own):
    await store.send("PUT", f"{SMS}/en", {"text": "{code} one"})
    await store.send("PUT", f"{SMS}/EN", {"text": "{code} two"})
    assert await own() == [(NAME, "sms", "en", "{code} two")]

    assert (await store.send("DELETE", f"{SMS}/en")).status == 204
    assert await own() == []
    assert (await store.send("DELETE", f"{SMS}/en")).status == 404
    english = next(one for one in (await code_template(store))["texts"] if one["language"] == "en")
    assert english["is_own"] is False


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        (f"{SMS}/en", {}, "text"),
        (f"{SMS}/en", {"text": " "}, "text"),
        (f"{SMS}/en", {"text": "{code} {name}"}, "text"),
        (f"{SMS}/en", {"text": "{code} {code.__class__}"}, "text"),
        (f"{SMS}/en", {"text": "{code} {"}, "text"),
        (f"{SMS}/en", {"text": "{{code}}"}, "text"),
        (f"{SMS}/en", {"text": "A code."}, "text"),
        (f"{SMS}/en", {"text": "{code}" + "x" * 1595}, "text"),
        (f"{SMS}/en", {"text": "{code}" + "x" * 2000}, "text"),
        (f"{SMS}/en", {"text": "{code}", "subject": "A code"}, "subject"),
        (f"{EMAIL}/en", {"text": "{code}"}, "subject"),
        (f"{EMAIL}/en", {"text": "{code}", "subject": "  "}, "subject"),
        (f"{EMAIL}/en", {"text": "{code}", "subject": "{code!r}"}, "subject"),
        (f"{EMAIL}/en", {"text": "{code}", "subject": "s" * 201}, "subject"),
        (f"{SMS}/english", {"text": "{code}"}, "language"),
        (f"{SMS}/xx", {"text": "{code}"}, "language"),
        (f"{SMS}/%00", {"text": "{code}"}, "language"),
        (f"{SMS}/en-%D9%A1%D9%A2%D9%A3", {"text": "{code}"}, "language"),
    ],
)
async def test_what_could_not_be_sent_is_not_written(store, own, path, body, field):
    assert list((await store.send("PUT", path, body)).errors) == [field]
    assert await own() == []


@pytest.mark.parametrize(
    "path",
    ["/message-templates/nobody.has_it/sms/en", f"/message-templates/{NAME}/push/en",
     f"/message-templates/{NAME}/fax/en", "/message-templates/webhook_endpoint.gone/email/en",
     "/message-templates/%00/sms/en"],
)  # fmt: skip
async def test_what_is_no_message_of_a_store_is_not_found(store, own, path):
    for method, body in (("PUT", {"text": "{code}", "subject": "x"}), ("DELETE", None)):
        assert (await store.send(method, path, body)).status == 404
    assert await own() == []


async def test_another_owner_s_texts_are_not_there(store, other_owner, client, own):
    await store.send("PUT", f"{SMS}/en", {"text": "{code} mine"})
    path = f"/api/v1/restaurants/{store.id}"

    replies = [
        await client.get(f"{path}/message-templates", headers=other_owner.auth),
        await client.put(f"{path}{SMS}/en", headers=other_owner.auth, json={"text": "{code} theirs"}),
        await client.delete(f"{path}{SMS}/en", headers=other_owner.auth),
    ]

    assert [reply.status_code for reply in replies] == [404] * 3
    assert await own() == [(NAME, "sms", "en", "{code} mine")]


async def test_reading_is_not_writing(store, owner, client, own):
    reads = await owner.token_with("restaurants:read")
    path = f"/api/v1/restaurants/{store.id}{SMS}/en"

    assert (await client.put(path, headers=reads, json={"text": "{code}"})).status_code == 403
    assert (await client.delete(path, headers=reads)).status_code == 403
    assert await own() == []


async def test_there_is_an_end_to_languages_even_for_many_at_once(store, own, monkeypatch):
    monkeypatch.setattr(template_overrides, "MAX_LANGUAGES", 3)

    tags = ("en", "pt", "es", "fr", "de", "it")
    replies = await asyncio.gather(*(store.send("PUT", f"{SMS}/{tag}", {"text": "{code}"}) for tag in tags))

    assert sorted(reply.status for reply in replies) == [200] * 3 + [409] * 3
    kept = await own()
    assert len(kept) == 3
    assert (await store.send("PUT", f"{SMS}/{kept[0][2]}", {"text": "{code} again"})).status == 200
