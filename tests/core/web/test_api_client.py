"""The API as pages use it: values go in and come out, and every check of a request is made."""

from datetime import datetime

import pytest
from comanda.basics.errors import BadRequest, Forbidden, ValidationFailed
from comanda.contracts.requests.callers import Caller
from comanda.devkit.testing.stores import line
from comanda.platform.http.internal_api import RequestOrigin
from comanda.web.api_client import ApiClient

CATEGORIES = "/restaurants/{id}/menu/categories"
ITEMS = "/restaurants/{id}/menu/items"
ORDERS = "/restaurants/{id}/orders"


@pytest.fixture
def create_api(app, owner):
    """Return a function that creates the API of a person with scopes."""

    def create(*scopes, form_key=None):
        caller = Caller("owner", 0, owner.id, None, None, frozenset(scopes), None)
        return ApiClient(app.internal_api, caller, RequestOrigin("192.0.2.1", "request", "session:1"), form_key)

    return create


@pytest.fixture
def api(create_api):
    return create_api("*")


async def test_answers_are_values(api, store):
    placed = await store.order(line(await store.item("Soup", price=7.5)))

    order = await api.get(f"{ORDERS}/{{orderId}}", id=store.id, orderId=placed["id"])
    changes = await api.get(f"{ORDERS}/{{orderId}}/history", id=store.id, orderId=placed["id"])

    assert isinstance(order["created_at"], datetime)
    assert order["created_at"] == datetime.fromisoformat(placed["created_at"])
    assert (order["total"], order["restaurant_id"]) == (7.5, store.id)
    assert changes == {"data": [], "current_page": 1, "last_page": 1, "per_page": 20, "total": 0}


async def test_values_are_validated_by_field(api, store):
    with pytest.raises(ValidationFailed) as refused:
        await api.post(ITEMS, {"name": "", "price": "much", "variants": [{"price": -1}]}, id=store.id)

    assert refused.value.errors["price"] == ["Must be a number."]
    assert {"name", "category_id"} < refused.value.errors.keys()
    assert await store.public_menu() == []


async def test_an_order_of_values_is_placed(api, store):
    item = await store.item("Soup", price=7.5)
    body = {"type": "takeaway", "items": [{"item_id": item["id"], "quantity": 2}], "client_uuid": "form-1"}

    placed = await api.post(ORDERS, body, id=store.id)
    again = await api.post(ORDERS, body, id=store.id)

    assert (placed["total"], placed["client_uuid"]) == (15.0, "form-1")
    assert again["id"] == placed["id"]


async def test_numbers_stay_exact(api, store):
    settings = await api.put("/restaurants/{id}/settings", {"tax_rate": 8.1}, id=store.id)

    assert settings["tax_rate"] == 8.1


async def test_a_form_that_is_sent_twice_acts_once(create_api, store):
    api = create_api("*", form_key="form")

    first = await api.post(CATEGORIES, {"name": "Soups"}, id=store.id)
    again = await api.post(CATEGORIES, {"name": "Soups"}, id=store.id)
    corrected = await api.post(CATEGORIES, {"name": "Salads"}, id=store.id)

    assert again == first
    assert corrected["name"] == "Salads"


async def test_bytes_are_parsed_as_those_of_a_request(api, store):
    with pytest.raises(BadRequest):
        await api.post(CATEGORIES, b'{"name": ', id=store.id)


async def test_a_person_needs_the_scope(create_api, store):
    api = create_api("menu:read")

    with pytest.raises(Forbidden) as refused:
        await api.post(CATEGORIES, {"name": "Soups"}, id=store.id)

    assert refused.value.extras == {"required": "menu:write"}
    assert api.has("GET", "/restaurants/{id}/menu")
    assert not api.has("POST", CATEGORIES)
