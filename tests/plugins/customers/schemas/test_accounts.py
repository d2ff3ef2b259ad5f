"""Validation of registration and login bodies."""

from comanda_customers.schemas.accounts import CodeBody

ADA = {"name": "Ada Lovelace", "email": "Ada@Example.com", "password": "correct horse", "device": "Ada's phone"}


PHONE = "+351912345678"


INVALID_FIELDS = [
    ({"password": "short"}, "password"), ({"password": "x" * 129}, "password"), ({"password": None}, "password"),
    ({"password": "ada@example.com"}, "password"), ({"email": "ada"}, "email"), ({"email": "a@b"}, "email"),
    ({"email": None, "password": None}, "email"), ({"email": None}, "email"), ({"name": " "}, "name"),
    ({"phone": "12"}, "phone"), ({"consents": {"newsletter": True}}, "consents.newsletter"),
    ({"consents": {"terms": "yes"}}, "consents.terms"), ({"birthday": "2999-01-01"}, "birthday"),
    ({"birthday": 0}, "birthday"), ({"locale": "??"}, "locale"), ({"code": "12345"}, "code"),
    ({"email": "ß" * 200 + "@example.com"}, "email"),
]  # fmt: skip


async def test_register_rejects_invalid_field(make_shopper, read_customers, published, subtests):
    for change, field in INVALID_FIELDS:
        with subtests.test(change=change, field=field):
            reply = await make_shopper().call_public("register", **{**ADA, **change})

            assert list(reply.errors) == [field]
            assert await read_customers() == []
            assert await published() == []


INVALID_PHONES = ["", "12", "x" * 51, "call me", 5, None]


async def test_code_request_rejects_invalid_phone(make_shopper, count_rows, subtests):
    for phone in INVALID_PHONES:
        with subtests.test(phone=phone):
            reply = await make_shopper().call_public("otp/request", phone=phone)

            assert list(reply.errors) == ["phone"]
            assert (await count_rows())[:2] == [0, 0]


def test_code_body_accepts_any_text():
    assert CodeBody(phone=PHONE, code="x").code == "x"
