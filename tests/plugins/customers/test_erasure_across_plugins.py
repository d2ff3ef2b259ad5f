"""A person with data in every plugin: all of it is exported, then erased, and no other row is changed."""

import dataclasses
import io
import itertools
import sys
from datetime import UTC, datetime, timedelta
from functools import cached_property
from uuid import uuid4

import orjson
import pytest
import structlog
from comanda.contracts import Caller
from comanda.devkit.testing import TestStore, line
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.observability import configure_logging
from comanda_notifications import api as notifications
from comanda_payments.services.accounts import terms
from comanda_reservations import api as reservations
from comanda_storefront.caller_kinds import SCOPES
from comanda_stripe.settings import StripeSettings
from comanda_webhooks.services.signing_secrets import encrypt_secret
from hosted_checkout import OPERATOR_KEY, Gateway

NOON = datetime(2027, 3, 10, 12, tzinfo=UTC)
TYPES = ("restaurant", "hotel", "carparts")
NAME = "Zenobia Quillfeather"
# What an erasure takes away, or adds: everything else has the same rows after it, with the same numbers.
CHANGED = {
    "customers_address", "core_audit_entry", "core_outbox", "core_login_code", "core_login_try",
    "notifications_message", "notifications_attempt", "notifications_device", "storefront_cart",
}  # fmt: skip
_numbers = itertools.count(1)


class FullCustomer:
    """A person with unique identifying values; only the name is shared between persons."""

    def __init__(self, name=NAME):
        number = next(_numbers)
        # No other test writes such numbers, so what is found of them is theirs.
        self.digits = f"9137{number:05d}"
        self.phone = f"+351{self.digits}"
        self.spellings = (self.phone, f"{self.digits[:3]} {self.digits[3:6]} {self.digits[6:]}", self.digits,
                          f"(00351) {self.digits[:3]}-{self.digits[3:]}")  # fmt: skip
        self.email = f"zenobia{number}@quill{number}.example"
        self.word = f"wombat{number}x"
        self.name = f"{name} {self.word}"
        self.birthday = f"1931-05-{number % 28 + 1:02d}"
        self.address = f"Marmot Lane {self.word}"
        self.note = f"Ring for {self.name}, {self.spellings[1]}"
        self.lat = 38.000000 + number / 10_000 + 0.000_017
        self.push_token = f"push-{self.word}-token"

    @cached_property
    def traces(self):
        """All identifying values to search for, in lower case."""
        phones = {self.digits, self.digits[-8:], *self.spellings}
        texts = {self.word, self.email, self.birthday, f"{self.lat:.6f}", *phones}
        return {text.lower() for text in texts} | {text.lower().encode().hex() for text in texts}


async def check_in(store, **guest):
    """Check a guest in to a free room, and return its number."""
    body = {
        "room_type_id": store.room_type_id, "check_in": "2027-03-10", "check_out": "2027-03-12",
        "guest_name": "Nobody", **guest,
    }  # fmt: skip
    stay = await store.send("POST", "/stays", body)
    taken = {each["room_id"] for each in (await store.get("/stays"))["data"]}
    room = next(each for each in (await store.get("/rooms"))["data"] if each["id"] not in taken)
    assert (await store.send("PUT", f"/stays/{stay['id']}/room", {"room_id": room["id"]})).status == 200
    assert (await store.send("PUT", f"/stays/{stay['id']}/status", {"status": "checked_in"})).status == 200
    return room["number"]


async def find_personal_data(person, since):
    """Search all tables, and return those that contain personal data of a person.

    Rows last written by a transaction before ``since``, which was current before the person came, are not read.
    """
    tables = await sql.fetch(
        "SELECT table_name AS name FROM information_schema.tables "
        "WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
    )
    found = set()
    for table in tables:
        # Searched here: the database takes many times as long for so many values.
        rows = f'SELECT string_agg(t::text, chr(10)) FROM "{table["name"]}" t WHERE t.xmin::text::bigint >= $1'
        text = await sql.fetch_value(rows, since) or ""
        if _has_trace(text, person):
            found.add(table["name"])
    return found


async def read_rows(owner, of=None):
    """Read an owner's rows: those containing data of a person, or the numbers and booleans of all rows."""
    tables = await sql.fetch(
        "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' "
        "AND column_name = 'owner_id' AND table_name IN (SELECT t.table_name FROM information_schema.tables t "
        "WHERE t.table_type = 'BASE TABLE') ORDER BY 1"
    )
    rows = {}
    for table in tables:
        dumped = await sql.fetch(
            f'SELECT to_jsonb(t)::text AS row FROM "{table["name"]}" t WHERE owner_id = $1 ORDER BY 1', owner.id
        )
        documents = [row["row"] for row in dumped]
        if of is None:
            numbers = [_keep_numbers(orjson.loads(document)) for document in documents]
            rows[table["name"]] = sorted(numbers, key=lambda row: sorted(row.items()))
        else:
            rows[table["name"]] = [text for text in documents if _has_trace(text, of)]
    return rows


def _has_trace(text, person):
    lowered = text.lower()
    return any(trace in lowered for trace in person.traces)


def _keep_numbers(document):
    return {key: value for key, value in document.items() if isinstance(value, int | float)}


@pytest.fixture
async def gateway(app, owner):
    """A payment provider on loopback, where the operator lends its account to the owner."""
    before = runtime_module.current()
    async with Gateway().serving() as double:
        await terms.set_loan(owner.id, lends_account=True)
        named = StripeSettings(url=double.url, secret_key=OPERATOR_KEY)
        settings = {**before.registry.settings, StripeSettings: named}
        registry = dataclasses.replace(before.registry, settings=settings)
        runtime_module.use(dataclasses.replace(before, registry=registry))
        yield double
        runtime_module.use(before)


class CustomerHistory:
    """Everything a person can do in a store over all interfaces; some steps apply to some store types only."""

    def __init__(self, store, shopper, person, mcp):
        self.store, self.shopper, self.person, self.mcp = store, shopper, person, mcp
        self.orders, self.room = [], None

    async def send(self, method, path, body=None, **headers):
        reply = await self.store.send(method, path, body, **headers)
        assert reply.status in (200, 201), (path, reply)
        return reply.document

    async def register(self):
        person, shopper = self.person, self.shopper
        code = await shopper.request_code(phone=person.phone, purpose="proof")
        reply = await shopper.call_public(
            "register", name=person.name, email=person.email, password="correct horse", phone=person.phone, code=code,
            device=f"Phone of {person.word}", birthday=person.birthday,
        )  # fmt: skip
        assert reply.status == 201, reply
        self.id = reply["customer"]["id"]
        proof = await shopper.request_code(email=person.email, purpose="proof")
        proven = await shopper.send("PUT", "/me", {"email": person.email, "code": proof})
        assert (proven.status, proven["email_verified"]) == (200, True), proven
        await shopper.call_public("login", email=person.email, password="wrong horse")
        saved = await shopper.send(
            "POST", "/addresses", {"line1": person.address, "instructions": person.note, "label": person.word}
        )
        assert saved.status == 201, saved
        self.address_id = saved["id"]

    async def list_order_fields(self):
        """List the order bodies for the type of the store."""
        moment = {"scheduled_for": "2027-03-11T10:00:00+00:00"}
        where = {"address": self.person.address}
        place = {"address_lat": self.person.lat, "address_lng": -9.1, "address_instructions": self.person.note}
        return {
            "restaurant": {"takeaway": {}, "on-table": {"table_number": "1"}, "delivery": {**where, **place},
                           "room_service": {"room_number": "9"}},
            "hotel": {"in_store": {}, "appointment": moment, "room_service": {"room_number": self.room}},
            "carparts": {"in_store": {}, "pickup_slot": moment, "ship": where, "delivery": {**where, **place}},
        }[self.store.type]  # fmt: skip

    async def place_orders(self):
        """Place orders with the account, and without it by the same phone number in several spellings."""
        if self.store.type == "hotel":
            self.room = await check_in(self.store, customer_id=self.id)
        spellings = itertools.cycle(self.person.spellings)
        item = line(self.store.soup, note=self.person.note)
        for type, fields in (await self.list_order_fields()).items():
            body = {"type": type, "note": self.person.note, **fields}
            mine = await self.shopper.send(
                "POST", "/orders", {**body, "items": [item]}, Idempotency_Key=f"{type}-{self.id}"
            )
            assert mine.status == 201, mine
            theirs = {"customer_name": self.person.name, "phone": next(spellings), "client_uuid": f"{type}-{self.id}"}
            placed = await self.store.place(item, **body, **theirs, key=f"{type}-{self.id}-b")
            assert placed.status == 201, placed
            self.orders += [mine.document, placed.document]
        for order in self.orders:
            assert (await self.store.set_status(order["id"], "preparing", note=self.person.note)).status == 200

    async def place_cart_order(self):
        """Place an order of a guest by an agent, with a coupon."""
        guest = self.mcp("/mcp/storefront", {"X-Storefront-Token": self.store.front_token})
        type = next(iter({"takeaway", "in_store"} & (await self.list_order_fields()).keys()))
        items = [{"item_id": self.store.soup["id"], "note": self.person.note}]
        cart = await guest.call("create_cart", {"type": type, "items": items, "note": self.person.note})
        await guest.call("apply_coupon", {"cart_id": cart["cart_id"], "code": "TEN"})
        placed = await guest.call(
            "place_order",
            {"cart_id": cart["cart_id"], "customer_name": self.person.name, "phone": self.person.spellings[1],
             "note": self.person.note, "idempotency_key": f"cart-{self.id}"},
        )  # fmt: skip
        assert placed["order"], placed

    async def create_payments(self):
        """Create payments, refunds, a gift card and store credit."""
        person, first, second = self.person, self.orders[0], self.orders[1]
        card = await self.send("POST", "/gift-cards", {"amount": 15, "customer_id": self.id, "note": person.note})
        await self.send("POST", f"/gift-cards/{card['id']}/adjust", {"amount": 1, "reason": person.note})
        await self.send("POST", f"/store-credit/{self.id}/entries", {"amount": 5, "note": person.note})
        paths = [f"/orders/{order['id']}/payments" for order in (first, second)]
        await self.send("POST", paths[0], {"method": "gift_card", "amount": 1, "code": card["code"]})
        await self.send("POST", paths[0], {"method": "cash", "amount": 1, "reference": person.note, "drawer": "Bar"})
        await self.send("POST", f"/orders/{first['id']}/refunds", {"amount": 0.5, "reason": person.note})
        await self.send("POST", paths[1], {"method": "stripe", "return_url": f"https://a.example/{person.word}"})
        await sql.execute(
            """UPDATE payments_payment SET status = 'failed', failure = $2, check_at = NULL, finished_at = now()
               WHERE order_id = $1""",
            second["id"],
            person.note,
        )

    async def create_deliveries(self):
        """Deliver orders by a driver and by a carrier."""
        for order in self.orders:
            path = f"/orders/{order['id']}"
            if order["type"] == "delivery":
                await self.send("POST", f"{path}/assign", {"driver_id": self.store.driver_id})
                for status in ("out_for_delivery", "delivered"):
                    body = {"delivery_status": status, "note": self.person.note}
                    await self.send("PUT", f"{path}/delivery-status", body)
            if order["type"] == "ship":
                url = f"https://carrier.example/{self.person.word}"
                parcel = {"address": self.person.address, "tracking_url": url, "tracking_number": self.person.word}
                await self.send("POST", f"{path}/shipments", parcel)

    async def create_reservations(self):
        """Create reservations with only a phone or only an e-mail, and a party that waited."""
        person = self.person
        guest = {"guest_name": person.name, "party_size": 2, "note": person.note}
        for hours, contact in ((6, {"phone": person.spellings[1]}), (9, {"email": person.email.upper()})):
            starts_at = (NOON + timedelta(hours=hours)).isoformat()
            created = await self.send("POST", "/reservations", {**guest, **contact, "starts_at": starts_at})
        await self.send("PUT", f"/reservations/{created['id']}/status", {"status": "cancelled"})
        await self.send("PUT", "/reservations/settings", {"has_waitlist": True})
        party = await self.send("POST", "/waitlist", {**guest, "phone": person.spellings[0]})
        for action in ("call", "seat"):
            await self.send("POST", f"/waitlist/{party['id']}/{action}", {})

    async def create_stay(self):
        """Create hotel stays, one with a deposit."""
        person = self.person
        guest = {
            "guest_name": person.name, "note": person.note, "room_type_id": self.store.room_type_id,
            "check_in": "2027-03-10", "check_out": "2027-03-12",
        }  # fmt: skip
        for contact in ({"phone": person.spellings[2]}, {"email": person.email}, {"customer_id": self.id}):
            stay = await self.send("POST", "/stays", {**guest, **contact})
        deposit = reservations.DepositTerms(
            1000, "EUR", "Deposit", datetime(2027, 3, 1, tzinfo=UTC), datetime(2027, 3, 8, tzinfo=UTC), "/", "/", "en"
        )
        async with sql.transaction():
            await reservations.create_stay_deposit(self.store.owner.id, stay["reservation_id"], deposit)

    async def create_messages(self):
        """Create messages on every channel, and about an order on another person's device."""
        person, owner_id = self.person, self.store.owner.id
        to = {"owner_id": owner_id, "store_id": self.store.id}
        token_id = await sql.fetch_value(
            "SELECT max(id) FROM core_access_token WHERE owner_id = $1 AND kind = 'customer' AND subject_id = $2",
            owner_id,
            self.id,
        )
        caller = Caller("customer", token_id, owner_id, self.store.id, self.id, frozenset(), None)
        await notifications.register_device(caller, "ios", person.push_token)
        assert (
            await notifications.push(owner_id, "customer", [self.id], "Hello", person.note, store_id=self.store.id) == 1
        )
        about = {"order_id": self.orders[0]["id"]}
        for message in (
            notifications.OutgoingMessage("sms", person.phone, person.note),
            notifications.OutgoingMessage("email", person.email.upper(), person.note, "Hello"),
            notifications.OutgoingMessage("push", "somebody-elses-device", person.note, platform="ios", data=about),
        ):
            await notifications.send(message, purpose="test", **to)
        unproven = notifications.OutgoingMessage("email", f"{person.word}@old.example", person.note, "Hello")
        await notifications.send(unproven, purpose="test", once=f"order:{self.orders[0]['id']}:ready", **to)

    async def create_invoice(self):
        """Issue an invoice to the person, which the law asks to be kept."""
        person, order = self.person, self.orders[-1]
        await self.send("PUT", "/settings/invoices", {"legal_name": "Tasca Lda", "address": "Rua 7"})
        await self.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})
        buyer = {"name": person.name, "address": person.address, "tax_number": person.word, "email": person.email}
        await self.send("POST", f"/orders/{order['id']}/invoice", buyer)

    async def create_withdrawal(self):
        """Withdraw from an order on the store's page."""
        person = self.person
        await self.send("PUT", "/settings/legal", {"has_withdrawal": True})
        body = {
            "name": person.name, "contract": f"{self.orders[0]['number']}, {person.note}", "email": person.email,
            "phone": person.spellings[1], "items": person.word, "client_uuid": str(uuid4()),
        }  # fmt: skip
        path = f"/s/{(await self.store.get())['slug']}/withdrawals"
        response = await self.store.client.post(path, json=body, headers={"Origin": "http://comanda.test"})
        assert response.status_code == 201, await response.get_json()

    async def create_notes(self):
        """Create notes of the owner about the person."""
        list_guests = (await self.store.get("/guests"))["data"]
        mine = [guest for guest in list_guests if self.person.word in (guest["name"] or "")]
        assert len(mine) >= 2, list_guests
        for guest in mine:
            await self.send("PUT", f"/guests/{guest['id']}", {"name": self.person.name, "tags": [self.person.word]})


@pytest.fixture
def create_store_of_type(client, owner, clock, app):
    """Create a store with all features, and a webhook endpoint for all events."""
    clock.set(NOON)

    async def create(type):
        store = TestStore(client, owner, await owner.store(type, timezone="UTC"))
        assert (await store.send("PUT", "/settings", {"country": "PT"})).status == 200
        store.type, store.soup = type, await store.item("Soup", 10)
        await store.send("POST", "/coupons", {"code": "TEN", "type": "percentage", "value": 10})
        await store.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 100})
        if type == "restaurant":
            for number in "123456":
                await store.send("POST", "/tables", {"number": number, "seats": 2})
        if type == "hotel":
            body = {"name": "Double", "base_price": 80, "max_adults": 2, "max_children": 1}
            store.room_type_id = (await store.send("POST", "/room-types", body))["id"]
            for number in range(101, 117):
                await store.send("POST", "/rooms", {"number": str(number), "room_type_id": store.room_type_id})
            await check_in(store)
        rider = await store.send_to("/api/v1/drivers", "POST", {"name": "Rui", "phone": f"+3519610{store.id:05d}"})
        store.driver_id = rider["id"]
        for mode in ("pickup_slot", "appointment"):
            await store.send("PUT", "/slot-settings", {"mode": mode, "capacity": 10})
        token = await store.send("POST", "/storefront-tokens", {"name": "site", "scopes": list(SCOPES)})
        store.front_token = token["token"]
        endpoint_id = await sql.fetch_value(
            """INSERT INTO webhooks_endpoint (owner_id, url, events, scopes, secret, created_at)
               VALUES ($1, 'https://93.184.215.14/hook', '{*}', '{*}', '', now()) RETURNING id""",
            owner.id,
        )
        secret = encrypt_secret("whsec_x", owner.id, endpoint_id)
        await sql.execute("UPDATE webhooks_endpoint SET secret = $1 WHERE id = $2", secret, endpoint_id)
        return store

    return create


@pytest.fixture
def create_history(create_store_of_type, make_shopper, mcp, dispatch, gateway):
    """Create the history of persons in a store."""

    async def create(store, person):
        history = CustomerHistory(store, make_shopper(store.id), person, mcp)
        await history.register()
        await history.place_orders()
        await history.place_cart_order()
        await history.create_payments()
        await history.create_deliveries()
        if store.type == "restaurant":
            await history.create_reservations()
        if store.type == "hotel":
            await history.create_stay()
        await history.create_invoice()
        await history.create_withdrawal()
        await history.create_messages()
        await dispatch()
        await history.create_notes()
        return history

    return create


EXPECTED = {
    "core_access_token", "core_order", "core_order_change", "core_order_line", "core_outbox", "coupons_use",
    "customers_address", "customers_customer", "customers_guest", "invoices_document", "legal_withdrawal",
    "notifications_device", "notifications_message",
    "payments_credit_entry", "payments_gift_card", "payments_gift_card_entry", "payments_payment", "payments_refund",
    "storefront_cart", "webhooks_delivery",
}  # fmt: skip
# What plugins show of a person beside the orders; of most records contact data or a note is theirs.
EXPORTED = {"coupons", "invoices", "legal", "notifications", "payments"}
MORE_EXPORTED = {"restaurant": {"reservations"}, "hotel": {"hotel", "reservations"}, "carparts": set()}
TELLING = EXPORTED - {"coupons"}
# The law asks for invoices as they were issued.
KEPT = {"invoices_document"}
MORE = {
    "restaurant": {"reservations_reservation", "reservations_waiting_party"},
    "hotel": {"reservations_reservation", "hotel_stay", "payments_prepayment"},
    "carparts": {"shipping_shipment"},
}


@pytest.mark.parametrize("type", TYPES)
async def test_erasure_removes_all_data_of_one_person_who_may_return(
    create_store_of_type, create_history, make_shopper, owner, dispatch, type
):
    since = await sql.fetch_value("SELECT pg_current_xact_id()::xid::text::bigint")
    store, ada, bea, twin = await create_store_of_type(type), FullCustomer(), FullCustomer(), FullCustomer()
    by_owner, by_password = await create_history(store, ada), await create_history(store, bea)
    await create_history(store, twin)

    async def erase(person, history, export, send):
        assert await find_personal_data(person, since) == EXPECTED | MORE[type]
        exported = await export()
        shown = orjson.dumps(exported).decode()
        assert exported["records"].keys() == EXPORTED | MORE_EXPORTED[type]
        assert all(_has_trace(orjson.dumps(exported["records"][name]).decode(), person) for name in TELLING)
        assert {order["id"] for order in history.orders} < {order["id"] for order in exported["orders"]}
        assert not _has_trace(shown, twin)
        twins, numbers = await read_rows(owner, of=twin), await read_rows(owner)

        reply = await send()
        assert reply.status == 204, reply

        assert await find_personal_data(person, since) == KEPT
        hashes = await sql.fetch(
            "SELECT body_hash FROM core_order WHERE id = ANY($1)", [one["id"] for one in history.orders]
        )
        assert {row["body_hash"] for row in hashes} == {None}
        assert await read_rows(owner, of=twin) == twins
        after = await read_rows(owner)
        assert {name for name in numbers if numbers[name] != after[name]} <= CHANGED
        await dispatch()
        assert await find_personal_data(person, since) == KEPT

    path = f"/customers/{by_owner.id}"
    await erase(ada, by_owner, lambda: store.get(f"{path}/export"), lambda: store.send("DELETE", path))
    shopper = by_password.shopper
    await erase(
        bea,
        by_password,
        lambda: shopper.get("/me/export"),
        lambda: shopper.send("DELETE", "/me", {"password": "correct horse"}),
    )
    assert (await store.send("DELETE", f"/customers/{by_owner.id}")).status == 404

    counter = "takeaway" if type == "restaurant" else "in_store"
    await store.order(line(store.soup), type=counter, phone=ada.phone, customer_name=ada.name)
    await dispatch()
    shopper = make_shopper(store.id)
    # From the first address as many codes were requested as may be in a minute.
    shopper.address = "198.51.100.7"
    again = await shopper.log_in_by_code(phone=ada.phone)

    assert again["created"] is True
    assert await sql.fetch_value("SELECT count(*) FROM core_order WHERE phone = $1", ada.phone) == 1
    for order in by_owner.orders:
        assert (await store.get(f"/orders/{order['id']}"))["customer_name"] == "deleted customer"


@pytest.fixture
def read_log(app, monkeypatch):
    """Collect all log output; restore the logging of the test suite afterwards."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    configure_logging("debug", "json")
    yield stream
    monkeypatch.undo()
    structlog.reset_defaults()
    configure_logging("warning", "json")


async def test_log_contains_no_personal_data(read_log, create_store_of_type, create_history, owner, mcp):
    store, ada = await create_store_of_type("restaurant"), FullCustomer()
    history = await create_history(store, ada)
    agent = mcp("/mcp/customer", {"Authorization": f"Bearer {history.shopper.token}"})
    await agent.call("my_profile")
    admin = mcp("/mcp", owner.auth)
    await admin.call("list_customers", {"search": ada.word, "restaurant_id": store.id})
    await store.get(f"/customers?search={ada.word}")
    await store.get(f"/reservations?search={ada.digits}")

    assert (await store.send("DELETE", f"/customers/{history.id}")).status == 204

    written = read_log.getvalue().lower()
    assert f'"path":"/api/v1/restaurants/{store.id}/customers/{history.id}"' in written
    assert {trace for trace in ada.traces if trace in written} == set()
