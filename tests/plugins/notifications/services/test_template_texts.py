"""Texts of template messages."""

import pytest
from comanda.platform.db import sql

NAME = "customers.code"


VALUES = {"code": "834112", "store": "Tasca", "minutes": 10}


@pytest.fixture
def put_template_text(store):
    async def put(language, text, channel="sms", subject=None):
        path = f"/message-templates/{NAME}/{channel}/{language}"
        reply = await store.send("PUT", path, {"text": text, "subject": subject})
        assert reply.status == 200, reply
        return reply

    return put


async def test_text_is_in_requested_language(send_code, store_id):
    english, german = await send_code(), await send_code(language="de-AT;q=0.9, en;q=0.5")
    mail = await send_code("email", language="fr")

    assert english["text"] == "834112 is your code for Tasca. It is valid for 10 minutes. Do not share it."
    assert german["text"].startswith("834112 ist Ihr Code für Tasca.")
    assert (english["subject"], mail["subject"]) == (None, "Votre code pour Tasca")
    assert (mail["purpose"], mail["store_id"]) == (NAME, store_id)


async def test_language_defaults_to_store_country(send_code, store):
    await store.send("PUT", "/settings", {"country": "PT"})

    assert (await send_code())["text"].startswith("834112 é o seu código")
    assert (await send_code(store_id=None))["text"].startswith("834112 é o seu código")
    assert (await send_code(language="en"))["text"].startswith("834112 is your code")


async def test_own_text_precedes_template_text(send_code, put_template_text, open_store, owner):
    await put_template_text("pt", "{code} - bem-vindo a {store}!")
    await put_template_text("it", "{code} da {store}")
    elsewhere = await open_store("restaurant")

    assert (await send_code(language="pt-BR"))["text"] == "834112 - bem-vindo a Tasca!"
    assert (await send_code(language="it"))["text"] == "834112 da Tasca"
    assert (await send_code(language="es"))["text"].startswith("834112 es su código")
    assert (await send_code("email", language="pt"))["text"].startswith("834112 é o seu")
    assert (await send_code(language="pt", store_id=elsewhere.id))["text"].startswith("834112 é o seu")
    assert (await send_code(language="pt", store_id=None))["text"].startswith("834112 é o seu")


async def test_values_are_inserted_literally(send_code, put_template_text):
    await put_template_text("en", "{store}: {code}")
    hostile = {**VALUES, "store": "{code} {code.__class__} {0} %s $name {minutes!r}"}

    assert (await send_code(values=hostile))["text"] == f"{hostile['store']}: 834112"


async def test_own_text_that_becomes_too_long_is_skipped(send_code, put_template_text):
    await put_template_text("en", "{code}" + " {store}" * 100)

    assert (await send_code(values={**VALUES, "store": "x" * 255}))["text"].startswith("834112 is your code for xxx")
    assert (await send_code())["text"] == "834112" + " Tasca" * 100


async def test_long_subject_is_shortened(send_code):
    assert len((await send_code("email", values={**VALUES, "store": "x" * 255}))["subject"]) == 200


async def test_invalid_own_text_is_skipped(send_code, owner, store_id):
    await sql.execute(
        """INSERT INTO notifications_template (owner_id, store_id, name, channel, language, text, updated_at)
           VALUES ($1, $2, $3, 'sms', 'en', '{code} {gone}', now())""", owner.id, store_id, NAME,
    )  # fmt: skip

    assert (await send_code())["text"].startswith("834112 is your code")
