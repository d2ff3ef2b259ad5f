"""A store's own texts."""

import asyncio

from comanda_notifications.services import template_overrides

NAME = "customers.code"


SMS, EMAIL = f"/message-templates/{NAME}/sms", f"/message-templates/{NAME}/email"


async def test_own_text_is_saved_with_preview(store, put_text, get_code_template):
    reply = await store.send("PUT", f"{EMAIL}/pt-br", {"subject": "Código de {store}", "text": " {code}, {store}\0 "})

    assert (reply.status, reply.document) == (200, {
        "channel": "email", "language": "pt-BR", "subject": "Código de {store}", "text": "{code}, {store}",
        "is_own": True, "preview": {"subject": "Código de Tasca da Ana", "text": "834112, Tasca da Ana"},
    })  # fmt: skip
    listed = {(one["channel"], one["language"]): one for one in (await get_code_template())["texts"]}
    assert listed["email", "pt-BR"] == reply.document
    assert listed["email", "pt"]["is_own"] is False
    assert ("sms", "pt-BR") not in listed
    assert await put_text() == [(NAME, "email", "pt-BR", "{code}, {store}")]


async def test_own_text_is_replaced_and_deleted(store, put_text, get_code_template):
    await store.send("PUT", f"{SMS}/en", {"text": "{code} one"})
    await store.send("PUT", f"{SMS}/EN", {"text": "{code} two"})
    assert await put_text() == [(NAME, "sms", "en", "{code} two")]

    assert (await store.send("DELETE", f"{SMS}/en")).status == 204
    assert await put_text() == []
    assert (await store.send("DELETE", f"{SMS}/en")).status == 404
    english = next(one for one in (await get_code_template())["texts"] if one["language"] == "en")
    assert english["is_own"] is False


INVALID_TEXTS = [
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
    (f"{EMAIL}/en", {"text": "{code}", "subject": "Your order {number}"}, "subject"),
    (f"{EMAIL}/en", {"text": "{code}", "subject": "{"}, "subject"),
    (f"{EMAIL}/en", {"text": "{code}", "subject": "s" * 201}, "subject"),
    (f"{SMS}/english", {"text": "{code}"}, "language"),
    (f"{SMS}/xx", {"text": "{code}"}, "language"),
    (f"{SMS}/%00", {"text": "{code}"}, "language"),
    (f"{SMS}/en-%D9%A1%D9%A2%D9%A3", {"text": "{code}"}, "language"),
]


async def test_invalid_text_is_rejected(store, put_text, subtests):
    for path, body, field in INVALID_TEXTS:
        with subtests.test(path=path, body=body, field=field):
            assert list((await store.send("PUT", path, body)).errors) == [field]
            assert await put_text() == []


async def test_languages_are_limited_under_concurrency(store, put_text, monkeypatch):
    monkeypatch.setattr(template_overrides, "MAX_LANGUAGES", 3)

    tags = ("en", "pt", "es", "fr", "de", "it")
    replies = await asyncio.gather(*(store.send("PUT", f"{SMS}/{tag}", {"text": "{code}"}) for tag in tags))

    assert sorted(reply.status for reply in replies) == [200] * 3 + [409] * 3
    kept = await put_text()
    assert len(kept) == 3
    assert (await store.send("PUT", f"{SMS}/{kept[0][2]}", {"text": "{code} again"})).status == 200
