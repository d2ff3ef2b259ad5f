"""The catalog of the reference: every operation on one page, at an address that stays."""

import re

import pytest
from comanda.web.api_reference.catalog import EVENTS, TAKEN_NAMES, Catalog, to_anchor, to_title
from installed_plugins import get_description, get_registry

REGISTRY = get_registry()
CATALOG = Catalog(REGISTRY)


def test_every_operation_is_in_the_section_of_its_tag():
    listed = {
        (section.title, entry.method, entry.path, entry.operation_id)
        for section in CATALOG.sections
        if section.name != EVENTS
        for entry in section.entries
    }

    assert listed == {
        (operation["tags"][0], method.upper(), path, operation["operationId"])
        for path, methods in get_description()["paths"].items()
        for method, operation in methods.items()
    }


def test_every_event_is_in_the_section_of_events():
    section = CATALOG.get_section(EVENTS)

    assert [entry.title for entry in section.entries] == sorted(get_description()["webhooks"])


def test_addresses_are_words_and_each_is_another_one():
    names = [section.name for section in CATALOG.sections]
    assert len(names) == len(set(names))
    assert [name for name in names if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)] == []
    for section in CATALOG.sections:
        anchors = [entry.anchor for entry in section.entries]
        assert len(anchors) == len(set(anchors)), section.name
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", anchor) for anchor in anchors)


def test_sections_leave_the_addresses_of_other_pages_alone():
    assert {section.name for section in CATALOG.sections} & (TAKEN_NAMES - {EVENTS}) == set()


@pytest.mark.parametrize(
    ("operation", "address"),
    [
        (("POST", "/api/v1/restaurants/{id}/orders"), "orders/#place-order"),
        (("GET", "/api/v1/restaurants/{id}/menu"), "menu/#get-menu"),
        (("PATCH", "/api/v1/restaurants/{id}/menu/items/{itemId}/sold-out"), "menu/#set-sold-out"),
        # Two handlers of one name are told apart by the ids that clients know.
        (("GET", "/api/v1/restaurants/{id}/settings"), "stores/#get-restaurants-id-settings"),
    ],
)
def test_an_operation_stays_where_links_lead(operation, address):
    assert CATALOG.addresses[operation] == address


def test_a_section_has_the_schemas_that_it_refers_to_and_no_others():
    content = CATALOG.read("orders")

    assert {"OrderBody", "OrderOut", "Error"} <= content.schemas.keys()
    assert "BrandBody" not in content.schemas
    assert content.schemas["OrderOut"] == get_description()["components"]["schemas"]["OrderOut"]


def test_an_operation_says_who_may_call_it():
    operation = next(
        each for each in CATALOG.read("orders").operations if each["operationId"] == "post_restaurants_id_orders"
    )

    assert operation["access"]["callers"] == ["owner"]
    assert operation["access"]["scope"] == "orders:write"
    assert operation["access"]["is_delegable"] is True
    assert operation["access"]["is_replayable"] is True
    assert operation["access"]["status"] == 201
    assert [tuple(each) for each in operation["access"]["refusals"]] == [
        (400, "bad_request"),
        (401, "unauthenticated"),
        (403, "forbidden"),
        (404, "not_found"),
        (413, "payload_too_large"),
        (415, "unsupported_media_type"),
        (422, "validation_failed"),
        (429, "rate_limited"),
    ]


def test_a_public_operation_asks_for_no_token():
    operation = next(
        each for each in CATALOG.read("public").operations if each["operationId"] == "get_menu_restaurantId"
    )

    assert operation["access"]["callers"] == []
    assert {status for status, _ in operation["access"]["refusals"]} & {401, 403} == set()


def test_the_whole_catalog_takes_little_memory():
    CATALOG.read("orders")

    assert sum(len(CATALOG._contents[section.name]) for section in CATALOG.sections) < 400_000


@pytest.mark.parametrize(
    ("summary", "title"),
    [
        ("Place an order. A used key returns the order that it has placed", "Place an order"),
        ("Close a shift; 409 with shift_closed if already closed", "Close a shift"),
        ("List the movements of a shift, newest first, 20 per page", "List the movements of a shift"),
        ("List rooms by number, 20 per page", "List rooms by number"),
        ("Return your profile.", "Return your profile"),
    ],
)
def test_a_title_is_the_first_clause(summary, title):
    assert to_title(summary) == title


def test_an_anchor_joins_words_by_hyphens():
    assert to_anchor("Cash drawers & tills ") == "cash-drawers-tills"
    assert to_anchor("çã") == ""
