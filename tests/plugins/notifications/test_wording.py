"""In whose words and in which language a message is sent."""

import pytest
from comanda import registry as registry_module
from comanda.accounts import services as accounts
from comanda.contracts.callers import Caller, CallerKind
from comanda.contracts.messaging import MessageTemplate, MessageText
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda_notifications import api
from comanda_notifications.languages import candidates, canonical

NAME = "customers.code"
VALUES = {"code": "834112", "store": "Tasca", "minutes": 10}
COURIER = CallerKind("courier", "cou_")


@pytest.fixture
def send_code(owner, store_id, row):
    """Send a code by template, and return the message as it is stored."""

    async def send(channel="sms", **options):
        to = {"sms": "+351911111111", "email": "ana@example.com"}[channel]
        given = {"values": VALUES, "owner_id": owner.id, "store_id": store_id, **options}
        return await row(await api.send_template(NAME, to=to, channel=channel, **given))

    return send


@pytest.fixture
def write(store):
    async def put(language, text, channel="sms", subject=None):
        path = f"/message-templates/{NAME}/{channel}/{language}"
        reply = await store.send("PUT", path, {"text": text, "subject": subject})
        assert reply.status == 200, reply
        return reply

    return put


@pytest.mark.parametrize(
    ("language", "country", "found"),
    [
        (None, None, ["en"]),
        ("pt-BR", None, ["pt-BR", "pt", "en"]),
        ("PT_br", "DE", ["pt-BR", "pt", "de-DE", "de", "en"]),
        ("zh-hant-tw", None, ["zh-Hant-TW", "zh-Hant", "zh", "en"]),
        ("de-CH-1996, fr;q=0.9, *;q=0.1", None, ["de-CH", "de", "fr", "en"]),
        ("fr;q=0.2, es;q=0.8, it;q=0", "PT", ["es", "fr", "pt-PT", "pt", "en"]),
        (None, "MX", ["es-MX", "es", "en"]),
        ("english", "US", ["en"]),
        ("\0, ;;;=, q=9, \u0661", "ZZ", ["en"]),
        ("a" * 100_000, None, ["en"]),
    ],
)
def test_a_person_s_languages_come_first_then_the_country_s_then_english(language, country, found):
    assert candidates(language, country) == found


@pytest.mark.parametrize(
    ("tag", "spelled"),
    [("PT-br", "pt-BR"), ("zh-HANT", "zh-Hant"), ("es-419", "es-419"), ("xx", None), ("english", None),
     ("p\u0307t", None), ("pt-BR-x-y", None), ("", None), ("pt\n", None)],
)  # fmt: skip
def test_a_tag_is_spelled_as_bcp_47_has_it(tag, spelled):
    assert canonical(tag) == spelled


async def test_a_message_is_in_the_language_that_is_asked_for(send_code, store_id):
    english, german = await send_code(), await send_code(language="de-AT;q=0.9, en;q=0.5")
    mail = await send_code("email", language="fr")

    assert english["text"] == "834112 is your code for Tasca. It is good for 10 minutes. Give it to nobody."
    assert german["text"].startswith("834112 ist Ihr Code für Tasca.")
    assert (english["subject"], mail["subject"]) == (None, "Votre code pour Tasca")
    assert (mail["purpose"], mail["store_id"]) == (NAME, store_id)


async def test_without_a_language_the_country_of_the_store_decides(send_code, store):
    await store.send("PUT", "/settings", {"country": "PT"})

    assert (await send_code())["text"].startswith("834112 é o seu código")
    assert (await send_code(store_id=None))["text"].startswith("834112 é o seu código")
    assert (await send_code(language="en"))["text"].startswith("834112 is your code")


async def test_a_store_s_own_words_go_before_the_template_s(send_code, write, open_store, owner):
    await write("pt", "{code} - bem-vindo a {store}!")
    await write("it", "{code} da {store}")
    elsewhere = await open_store("restaurant")

    assert (await send_code(language="pt-BR"))["text"] == "834112 - bem-vindo a Tasca!"
    assert (await send_code(language="it"))["text"] == "834112 da Tasca"
    assert (await send_code(language="es"))["text"].startswith("834112 es su código")
    assert (await send_code("email", language="pt"))["text"].startswith("834112 é o seu")
    assert (await send_code(language="pt", store_id=elsewhere.id))["text"].startswith("834112 é o seu")
    assert (await send_code(language="pt", store_id=None))["text"].startswith("834112 é o seu")


async def test_a_value_is_text_whatever_it_says(send_code, write):
    await write("en", "{store}: {code}")
    hostile = {**VALUES, "store": "{code} {code.__class__} {0} %s $name {minutes!r}"}

    assert (await send_code(values=hostile))["text"] == f"{hostile['store']}: 834112"


async def test_words_that_these_values_make_too_long_are_passed_over(send_code, write):
    await write("en", "{code}" + " {store}" * 100)

    assert (await send_code(values={**VALUES, "store": "x" * 255}))["text"].startswith("834112 is your code for xxx")
    assert (await send_code())["text"] == "834112" + " Tasca" * 100


async def test_a_long_name_shortens_the_subject(send_code):
    assert len((await send_code("email", values={**VALUES, "store": "x" * 255}))["subject"]) == 200


async def test_what_is_written_to_be_no_text_any_more_is_passed_over(send_code, owner, store_id):
    await sql.execute(
        """INSERT INTO notifications_template (owner_id, store_id, name, channel, language, text, updated_at)
           VALUES ($1, $2, $3, 'sms', 'en', '{code} {gone}', now())""", owner.id, store_id, NAME,
    )  # fmt: skip

    assert (await send_code())["text"].startswith("834112 is your code")


@pytest.mark.parametrize(
    ("name", "channel", "values"),
    [("nobody.has_it", "sms", VALUES), (NAME, "push", VALUES), (NAME, "sms", {"code": "1"})],
)
async def test_what_no_template_has_is_the_caller_s_mistake(owner, count, name, channel, values):
    with pytest.raises(LookupError):
        await api.send_template(name, to="+351911111111", channel=channel, values=values, owner_id=owner.id)

    assert await count() == 0


async def test_an_address_that_is_none_is_refused_as_ever(send_code, owner, count):
    with pytest.raises(ValidationFailed):
        await api.send_template(NAME, to="ana", channel="sms", values=VALUES, owner_id=owner.id)

    assert await count() == 0


async def test_each_device_is_written_to_in_its_own_language(owner, store_id):
    issued = await accounts.issue_token(COURIER, owner.id, [], name="phone", subject_id=7)
    courier = Caller("courier", issued.id, owner.id, None, 7, frozenset(), None)
    await api.register_device(courier, "ios", "phone", "1", "pt-PT")
    await api.register_device(courier, "web", "laptop")
    values = {"number": 18, "store": "Tasca", "link": "https://a.example/t/x"}

    number = await api.push_template(
        "orders.delivered", "courier", [7], {"order_id": 4}, values=values, owner_id=owner.id, store_id=store_id
    )

    stored = await sql.fetch("SELECT subject FROM notifications_message WHERE owner_id = $1 ORDER BY id", owner.id)
    assert (number, [one["subject"] for one in stored]) == (2, ["O pedido 18 foi entregue", "Order 18 was delivered"])


def test_every_template_reads_well_in_five_languages(runtime):
    for template in runtime.registry.message_templates.values():
        assert {"en", "pt", "es", "fr", "de"} <= template.texts.keys(), template.name
        for text in template.texts.values():
            filled = text.filled(template.fields)
            assert "{" not in filled.text + (filled.subject or "")
            # Two parts of an SMS at the most, with letters that are not in its small alphabet.
            assert "sms" not in template.channels or len(filled.text) <= 134, filled.text


def test_codes_are_the_first_word_of_what_carries_them(runtime):
    for name in ("customers.code", "drivers.code"):
        for text in runtime.registry.message_templates[name].texts.values():
            assert text.text.startswith("{code} ")


def test_a_text_has_fields_and_nothing_else():
    assert MessageText("{a} {b_2}", "{c}").fields() == {"a", "b_2", "c"}
    for wrong in ("{", "}", "{}", "{a.b}", "{a!r}", "{a:>9}", "{0}", "{A}", "{{a}}", "{a"):
        with pytest.raises(ValueError, match="brace"):
            MessageText(wrong).fields()


def test_templates_are_told_apart_by_name(runtime):
    assert registry_module.DECLARES["register_message_templates"] is MessageTemplate
    assert NAME in runtime.registry.contributions["customers"]["message template"]


async def test_whoever_asks_for_a_code_is_answered_in_their_browser_s_language(client, owner, store_id):
    await client.post("/api/v1/drivers", headers=owner.auth, json={"name": "Rui", "phone": "+351967654321"})
    headers = {"Accept-Language": "de-CH;q=0.8, xx, pt-BR"}

    for path, body in (
        (f"restaurants/{store_id}/customer/otp/request", {"phone": "+351911111111"}),
        ("driver/login/request", {"phone": "+351967654321"}),
    ):
        assert (await client.post(f"/api/v1/{path}", headers=headers, json=body)).status_code == 200

    sent = await sql.fetch("SELECT text FROM notifications_message WHERE owner_id = $1 ORDER BY id", owner.id)
    customer, driver = (one["text"].partition(" ") for one in sent)
    assert customer[0].isdigit()
    assert customer[2].startswith("é o seu código para Store")
    assert driver[0].isdigit()
    assert driver[2].startswith("é o seu código para entrar como entregador.")
