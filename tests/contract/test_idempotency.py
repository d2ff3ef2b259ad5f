"""A request that creates something and is sent twice with one key creates it once: asked of every creating route."""

import asyncio
import re
from pathlib import Path

import pytest
from comanda.accounts import services as accounts
from comanda.contracts.requests.routes import CREATING_STATUSES, KEY_HEADER
from comanda.platform.db import sql
from installed_plugins import get_registry
from route_requests import called, everything_of, send
from workshop import HOLDERS, Workshop

REGISTRY = get_registry()
CREATING = [
    route
    for route in REGISTRY.routes
    if route.method == "POST" and route.status in CREATING_STATUSES and route.is_rest and not route.is_read_only
]
# What repeats of these mean stands in their bodies, or they are for callers who are not known.
WITHOUT_KEY = {
    "POST /api/app/usage": "the field ref identifies a report",
    "POST /s/{slug}/orders": "the page sends a client_uuid",
    "POST /s/{slug}/gift-card-sales": "the page sends a client_uuid",
    "POST /s/{slug}/reservations": "the page sends a client_uuid",
    "POST /s/{slug}/waitlist/parties": "the page sends a client_uuid",
    "POST /s/{slug}/withdrawals": "the page sends a client_uuid",
    "POST /withdraw/{token}/statement": "the page sends a client_uuid",
    "POST /s/{slug}/rooms/{typeId}/stays": "the page sends a client_uuid",
    "POST /invoice/{token}/request": "an order has one invoice that is not cancelled",
    "POST /receipt/{token}/send": "an address gets the receipt of an order once",
    "POST /s/{slug}/account/addresses": "an address that is saved is not saved again",
    "POST /restaurants/{id}/customer/register": "a second account with the same e-mail or phone is refused",
    "POST /restaurants/{id}/staff-devices/requests": "a request that nobody answers expires",
}
# Forms that create nothing, or once by what they are: a link, a code, a session. Others are sent by scripts with keys.
FORMS_WITHOUT_KEY = {
    "POST /account/security/password": "a new password",
    "POST /account/security/passkeys/{{ passkey.id }}/name": "a new name",
    "POST /account/security/passkeys/{{ passkey.id }}/delete": "deletes",
    "POST /account/security/sessions": "signs out",
    "POST {{ account_path }}/{{ identity.id }}/unlink": "deletes",
    "POST {{ account_path }}/{{ provider.code }}/link": "leads to a provider, whose answer is good once",
    "POST /account/security/two-factor": "turned on with a code",
    "POST /account/security/two-factor/off": "turned off",
    "POST /account/security/two-factor/recovery-codes": "new codes take the place of the old ones",
    "POST /language": "a cookie",
    "POST /theme": "a cookie",
    "POST /s/{{ store.slug }}/account/code": "sends a code again",
    "POST /s/{{ store.slug }}/account/session": "opens a session",
    "POST /sign-in": "opens a session",
    "POST /sign-in/code": "opens a session",
    "POST /sign-in/confirm": "confirms a session",
    "POST /sign-in/forgot": "sends a link again",
    "POST /sign-out": "signs out",
    "POST /demobank/{{ charge.reference }}/answer": "a charge is answered once",
    "POST /demobank-readers/{{ reader.reference }}/answer": "a charge is answered once",
    "POST /pay/{{ token }}/start": "an order has one payment that is pending",
    "POST {{ form_path }}": "shows a withdrawal before it is confirmed, and stores nothing",
    "POST {{ request.full_path }}": "an app is installed once",
    "POST in comanda/reset.html": "the link works once",
    "POST in comanda/setup.html": "the first owner is created once",
    "POST in reseller/invitation.html": "the link works once",
    "script in comanda/passkey_form.html": "the challenge works once",
    "script in drivers/driver.html": "opens a session",
    "script in staff/_login.html": "opens a session",
    "script in storefront/_order_dialogs.html": "places nothing; the checkout sends a client_uuid",
    "script in till/till.html": "requests.js sends a key",
}
KEYED = [
    pytest.param(kind, route, id=f"{kind} {called(route)}")
    for route in CREATING
    if called(route).removeprefix("/api/v1") not in WITHOUT_KEY
    for kind in route.callers
]
FORM = re.compile(r"<form\b(?P<attributes>(?:[^>{]|{{.*?}}|{%.*?%}|{)*)>(?P<fields>.*?)</form>", re.DOTALL)
ACTION = re.compile(r'action="((?:[^"{]|{{.*?}}|{)*)"')
PARTS = re.compile(r"""{%-? include ["']([^"']+)["']""")
# Written by every request, or when a token is used.
UNRELATED = {"core_audit_entry", "core_access_token", "core_stored_answer", "core_outbox"}


async def request_of(client, owner, kind, route):
    workshop = Workshop(client, owner, None if kind == "owner" else await owner.store())
    if kind == "owner":
        headers = owner.auth
    elif kind == "storefront":
        token = await accounts.issue_token(
            REGISTRY.caller_kinds[kind], owner.id, ["*"], name="site", store_id=workshop.home
        )
        headers = {"X-Storefront-Token": token.secret}
    else:
        headers = await HOLDERS[kind](workshop)
    ids = await workshop.ids_of(route)
    if route.path in {"/customer/orders", "/storefront/orders"}:
        return headers, ids, {"type": "takeaway", "items": [{"item_id": await workshop.item(workshop.home)}]}
    return headers, ids, await workshop.body_of(route, ids)


def test_every_creating_route_takes_a_key_or_says_why_not():
    missing = {called(route) for route in CREATING if not any(name == KEY_HEADER for name, _ in route.headers)}

    assert missing == set(WITHOUT_KEY)
    assert len(KEYED) >= 60


def test_every_form_carries_a_key_or_says_why_not():
    """Forms of the dashboard by the macro ``csrf``, those of guests by the script ``guest_form.js``."""
    forms = list(list_forms())

    assert {name for name, has_key in forms if not has_key} == set(FORMS_WITHOUT_KEY)
    assert sum(has_key for _, has_key in forms) >= 100


def list_forms():
    """Yield what each form of a template that sends something is called, and whether it carries a key."""
    root = Path(__file__).parents[2]
    paths = [
        path for each in ("core", "plugins", "verticals") for path in root.glob(f"{each}/**/src/**/templates/**/*.html")
    ]
    texts = {path.as_posix().rpartition("/templates/")[2]: path.read_text() for path in paths}
    for name, text in texts.items():
        own_macros = re.findall(r"{% macro (\w+)\([^)]*\) %}(.*?){% endmacro %}", text, re.DOTALL)
        keys = [f"{macro}(" for macro, body in own_macros if "csrf()" in body and "<form" not in body]
        forms = list(FORM.finditer(text))
        assert len(forms) == text.count("<form"), name
        for attributes, fields in (form.groups() for form in forms):
            if 'method="get"' in attributes or 'method="dialog"' in attributes or 'role="search"' in attributes:
                continue
            parts = fields + "".join(texts.get(part, "") for part in PARTS.findall(fields))
            action = ACTION.search(attributes)
            if 'method="post"' not in attributes:
                yield f"script in {name}", "data-guest-form" in attributes
            else:
                has_key = any(key in parts for key in ["ui.csrf()", *keys]) or (
                    name == "comanda/parts.html" and "csrf()" in parts
                )
                yield f"POST {action[1]}" if action else f"POST in {name}", has_key


@pytest.mark.parametrize(("kind", "route"), KEYED)
async def test_repeated_request_creates_once(client, owner, kind, route):
    headers, ids, body = await request_of(client, owner, kind, route)
    keyed = {**headers, KEY_HEADER: "order-entry-17"}

    status, first = await send(client, route, ids, keyed, body)
    before = await everything_of(owner, but=UNRELATED)
    events = await count_events(owner)
    again, second = await send(client, route, ids, keyed, body)

    assert (status, again) == (route.status, route.status), (first, second)
    assert await everything_of(owner, but=UNRELATED) == before
    assert await count_events(owner) == events
    if route.is_replayable:
        assert second == first
    else:
        assert second.get("id") == first.get("id")


async def test_concurrent_repeats_create_once(client, owner, open_store):
    store = await open_store("restaurant")
    replies = await asyncio.gather(
        *(store.send("POST", "/menu/categories", {"name": "Soups"}, Idempotency_Key="c-1") for _ in range(5))
    )

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1
    assert len((await store.send("GET", "/menu/categories")).document) == 1


async def test_refused_request_does_not_use_its_key(open_store):
    store = await open_store("restaurant")
    refused = await store.send("POST", "/menu/categories", {"name": ""}, Idempotency_Key="c-1")

    made = await store.send("POST", "/menu/categories", {"name": "Soups"}, Idempotency_Key="c-1")
    other = await store.send("POST", "/menu/categories", {"name": "Teas"}, Idempotency_Key="c-1")

    assert (refused.status, made.status, other.status) == (422, 201, 201)
    assert other["id"] == made["id"]
    assert (other.headers["idempotent-replayed"], other.headers["idempotency-mismatch"]) == ("true", "true")


async def test_keys_belong_to_caller_and_path(open_store, owner, other_owner, client):
    one, other = await open_store("restaurant"), await open_store("restaurant")
    made = [
        await store.send("POST", "/menu/categories", {"name": "Soups"}, Idempotency_Key="c-1") for store in (one, other)
    ]
    foreign = await client.post("/api/v1/tokens", headers={**other_owner.auth, KEY_HEADER: "c-1"},
                                json={"name": "Books", "scopes": ["orders:read"]})  # fmt: skip

    assert made[0]["id"] != made[1]["id"]
    assert foreign.status_code == 201
    assert "Idempotent-Replayed" not in foreign.headers


async def test_stored_answer_is_encrypted(client, owner):
    headers = {**owner.auth, KEY_HEADER: "t-1"}
    body = {"name": "Books", "scopes": ["orders:read"]}

    first = await (await client.post("/api/v1/tokens", headers=headers, json=body)).get_json()
    again = await client.post("/api/v1/tokens", headers=headers, json=body)

    assert await again.get_json() == first
    assert again.headers["Idempotent-Replayed"] == "true"
    stored = await sql.fetch_value("SELECT answer FROM core_stored_answer WHERE owner_id = $1", owner.id)
    assert stored.startswith("enc1.")
    secrets = [text for text in first.values() if isinstance(text, str) and text.startswith("own_")]
    assert len(secrets) == 1
    assert secrets[0] not in stored


async def count_events(owner):
    return await sql.fetch_value("SELECT count(*) FROM core_outbox WHERE owner_id = $1", owner.id)
