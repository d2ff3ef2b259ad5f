"""Personal data in events is seen by those with its scope, and is declared."""

from typing import Annotated, Any

import pytest
from comanda.contracts.background.events import Event, NotPersonal, Personal
from comanda.devkit.authoring.declarations import check_event
from comanda.platform.events.personal_data import hide_personal_data
from comanda_customers.events import CustomerCreated
from comanda_drivers.events import DriverAssigned
from pydantic import BaseModel

DRIVER = {"id": 31, "name": "Rui Costa", "phone": "+351912345678"}


class Guest(BaseModel):
    id: int
    name: Annotated[str | None, Personal("customers:read")]


class Seated(Event):
    """Guests were seated."""

    name = "test.seated"
    scope = "orders:read"
    sample = {"table": 4, "guests": [{"id": 1, "name": "Ada"}]}

    table: int
    guests: list[Guest]


@pytest.mark.parametrize("scopes", [["*"], ["read"], ["write"], ["customers:read"], ["customers:write"]])
def test_scopes_that_show_personal_data(scopes):
    assert hide_personal_data(CustomerCreated, CustomerCreated.sample, scopes) == CustomerCreated.sample


def test_ids_and_facts_stay_without_any_scope():
    assert hide_personal_data(CustomerCreated, CustomerCreated.sample, ["orders:read", "webhooks:write"]) == {
        **CustomerCreated.sample,
        "name": None,
        "email": None,
        "phone": None,
    }


def test_nested_models_and_lists_are_covered():
    data = {"driver": DRIVER, "order_id": 1}

    assert hide_personal_data(DriverAssigned, data, ["orders:read"]) == {
        "driver": {"id": 31, "name": None, "phone": None},
        "order_id": 1,
    }
    assert hide_personal_data(DriverAssigned, {"driver": None}, []) == {"driver": None}
    assert hide_personal_data(DriverAssigned, data, ["drivers:read"]) == data
    assert hide_personal_data(Seated, Seated.sample, []) == {"table": 4, "guests": [{"id": 1, "name": None}]}
    assert Seated.sample["guests"] == [{"id": 1, "name": "Ada"}]


def test_undeclared_event_is_visible_to_full_tokens_only():
    assert hide_personal_data(None, {"id": 1, "name": "Ada"}, ["orders:read", "customers:read"]) == {}
    assert hide_personal_data(None, {"id": 1, "name": "Ada"}, ["*"]) == {"id": 1, "name": "Ada"}


def test_the_schema_tells_which_scope_is_needed():
    schema = CustomerCreated.model_json_schema(mode="serialization", by_alias=True)

    assert schema["properties"]["email"]["description"] == "Personal data. Null without the scope `customers:read`."


def findings(fields: dict[str, Any], sample: dict[str, Any], erased: tuple[str, ...] = ()) -> list[str]:
    body = {"name": "test.made", "scope": "orders:read", "sample": sample, "personal": erased, "__doc__": "Made."}
    event = type("Made", (Event,), {**body, "__module__": __name__, "__annotations__": fields})
    return [one.sentence for one in check_event(event) if one.rule == "event-personal"]


@pytest.mark.parametrize("key", ["guest_name", "phone", "email", "delivery_address", "note", "comment", "latitude"])
def test_a_field_that_looks_personal_must_be_marked(key):
    assert findings({key: str | None}, {key: None}) == [f"test.made: {key} looks like personal data."]
    assert findings({key: Annotated[str | None, Personal("orders:read")]}, {key: None}) == []
    assert findings({key: Annotated[str, NotPersonal()]}, {key: "x"}) == []


def test_keys_of_open_objects_are_found_in_the_sample():
    found = findings({"lines": list[dict[str, Any]]}, {"lines": [{"id": 1, "guest": {"email": "a@b.c"}}]})

    assert found == [
        "test.made: lines.guest looks like personal data.",
        "test.made: lines.guest.email looks like personal data.",
    ]


def test_a_marked_field_may_be_null_and_an_erased_one_is_marked():
    assert findings({"phone": Annotated[str, Personal("orders:read")]}, {"phone": "1"}) == [
        "test.made: phone cannot be null."
    ]
    assert findings({"reason": str | None}, {"reason": None}, ("reason",)) == [
        "test.made: reason is erased but not marked as personal data."
    ]
