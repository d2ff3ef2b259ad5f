"""What stands in the paths and bodies of the customers plugin's routes, for tests of every route."""

from comanda.accounts import web_sessions
from comanda.basics import clock
from comanda.contracts import API_PREFIX, StoredEvent
from comanda.platform.db import sql
from comanda.web import customer_cookie
from comanda_customers.event_handlers import update_guests
from comanda_customers.models import Address, Customer
from comanda_customers.services.sign_in.tokens import SCOPES, issue_token


async def guest(workshop, store_id):
    order_id = await workshop.order(store_id, phone="+351 912 345 678", customer_name="Ada")
    owner_id = workshop.owner.id
    await update_guests([StoredEvent(1, owner_id, store_id, "order.created", {"order_id": order_id}, clock.now())])
    return await sql.fetch_value(
        "SELECT guest_id FROM customers_guest_order WHERE order_id = $1 AND owner_id = $2", order_id, owner_id
    )


async def customer(workshop, store_id):
    body = {"name": "Ada", "email": "ada@example.com", "phone": "+351912345678", "birthday": "1990-02-28"}
    return await workshop.post(f"/restaurants/{store_id}/customers", body)


async def holder(workshop):
    owner_id, store_id, marker = workshop.owner.id, workshop.home, workshop.marker
    created = await Customer.create(
        owner_id=owner_id, store_id=store_id, name=marker, email=f"{marker}@example.com".lower(), created_at=clock.now()
    )
    workshop.holder_id = created.id
    issued = await issue_token(owner_id, store_id, created.id, "test")
    headers = {"Authorization": f"Bearer {issued.secret}"}
    await own_address(workshop)
    await own_order(workshop)
    return headers


async def own_address(workshop):
    address = await Address.create(
        owner_id=workshop.owner.id, customer_id=workshop.holder_id or await unheld(workshop), label=workshop.marker,
        line1="Home", is_default=False, created_at=clock.now(),
    )  # fmt: skip
    return address.id


async def own_order(workshop):
    order_id = await workshop.order(workshop.home or await workshop.store(), customer_name=workshop.marker)
    await sql.execute("UPDATE core_order SET customer_id = $2 WHERE id = $1", order_id, workshop.holder_id)
    return order_id


async def unheld(workshop):
    return await create_customer(workshop, await workshop.store())


async def create_customer(workshop, store_id):
    created = await Customer.create(
        owner_id=workshop.owner.id, store_id=store_id, name="Ada", phone="+351912345671", created_at=clock.now()
    )
    return created.id


async def login_body(workshop, store_id):
    path = f"{API_PREFIX}/restaurants/{store_id}/customer/register"
    created = await workshop.client.post(path, json={"name": "Eve", **LOGIN})
    assert created.status_code == 201, await created.get_json()
    return LOGIN


async def code_body(workshop, store_id):
    path = f"{API_PREFIX}/restaurants/{store_id}/customer/otp/request"
    await workshop.client.post(path, json={"phone": "+351912345670"})
    text = await sql.fetch_value(
        "SELECT text FROM notifications_message WHERE store_id = $1 ORDER BY id DESC LIMIT 1", store_id
    )
    return {"phone": "+351912345670", "code": text.partition(" ")[0], "device": "x"}


LOGIN = {"email": "eve@example.com", "password": "correct horse", "device": "x"}
PERSON = {
    "name": "Stolen", "email": "eve@example.com", "phone": "+351912345670", "birthday": "1990-02-28",
    "locale": "pt-PT", "consents": {"terms": True, "marketing_sms": False, "terms_at": "2026-01-01T00:00:00Z"},
}  # fmt: skip
ADDRESS = {
    "label": "Home", "line1": "Rua da Prata 8", "line2": "2", "city": "Lisboa", "region": "Lisboa", "country": "PT",
    "postcode": "1100-420", "lat": 38.7, "lng": -9.1, "instructions": "Ring", "is_default": True,
}  # fmt: skip

HOLDERS = {"customer": holder}


async def address_of_slug(workshop, slug):
    workshop.holder_id = await create_customer(workshop, await workshop.store_of(slug))
    return await own_address(workshop)


async def signed_in(workshop, slug):
    """Return the cookie of a customer who is signed in on a store's page."""
    store_id = await workshop.store_of(slug)
    customer_id = workshop.holder_id or await create_customer(workshop, store_id)
    secret, _ = await web_sessions.create_session(
        owner_id=workshop.owner.id, kind="customer", store_id=store_id, subject_id=customer_id, scopes=SCOPES
    )
    return {"Cookie": customer_cookie(store_id, secret).partition(";")[0]}


PAGE_CALLERS = {"/s/{slug}/account": signed_in}
FACTORIES = {
    "/s/{slug}/account/addresses/{id}": address_of_slug,
    "/restaurants/{id}/guests/{guestId}": guest,
    "/restaurants/{id}/customers/{customerId}": customer,
    "/customer/addresses/{id}": own_address,
    "/customer/orders/{orderId}": own_order,
}
BODIES = {
    "GuestChange": {"tags": ["no nuts", "window seat"], "name": "Stolen"},
    "ContactBody": PERSON,
    "RegisterBody": {**PERSON, "password": "correct horse", "device": "x"},
    "LoginBody": login_body,
    "CodeRequest": {"phone": "+351912345670", "purpose": "login"},
    "CodeBody": code_body,
    "ProfileChange": PERSON,
    "ErasureBody": {"password": "correct horse"},
    "NameChange": {"name": "Stolen"},
    "CartChange": {"lines": [{"item": 1, "extras": [2], "quantity": 1, "note": "x", "unit": 100}], "version": 0},
    "AddressBody": ADDRESS,
    "AddressChange": {**ADDRESS, "address": "Rossio 1"},
    "CustomerOrderBody": {"type": "takeaway", "items": [{"item_id": 1, "quantity": 1}], "address_id": 1, "note": "x"},
}


async def past_order(bench):
    return {"order_id": await bench.own_order()}


MCP_CALLS = {
    "customer/my_profile": {},
    "customer/reorder": past_order,
    "admin/list_customers": {"search": "ada", "page": 1},
    "admin/get_customer": lambda bench: {"customer_id": bench.customer_id},
}
