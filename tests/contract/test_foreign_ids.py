"""Ids in bodies: no field takes the id of another owner's thing, nor of another store's; asked of every such field."""

import re
from collections.abc import Iterator

import pytest
from comanda.contracts.requests.routes import API_PREFIX
from installed_plugins import get_registry
from route_requests import called, send
from sweep import sweep
from workshop import FACTORIES, HOLDERS, PreparedWorkshop

# Where a field's things are made: the path of one of them, whose factory in a contract.py makes it. By the path of the
# field within the body, or by the field's name alone.
THINGS = {
    "address_id": "/customer/addresses/{id}",
    "category_id": "/restaurants/{id}/menu/categories/{categoryId}",
    "category_ids": "/restaurants/{id}/menu/categories/{categoryId}",
    "customer_id": "/restaurants/{id}/customers/{customerId}",
    "driver_id": "/drivers/{id}",
    "extra_ids": "extra",
    "extras": "extra",
    "fallback_id": "/restaurants/{id}/printers/{printerId}",
    "item_id": "/restaurants/{id}/menu/items/{itemId}",
    "item_ids": "/restaurants/{id}/menu/items/{itemId}",
    "line_id": "line",
    "order_id": "/restaurants/{id}/orders/{orderId}",
    "order_line_id": "line",
    "restaurant_id": "/restaurants/{id}",
    "room_id": "hotel /restaurants/{id}/rooms/{roomId}",
    "room_type_id": "hotel /restaurants/{id}/room-types/{typeId}",
    "theme_id": "/restaurants/{id}/themes/{themeId}",
    "staff_id": "/restaurants/{id}/staff/{staffId}",
    "staff_ids": "/restaurants/{id}/staff/{staffId}",
    "station_id": "/restaurants/{id}/stations/{stationId}",
    "station_ids": "/restaurants/{id}/stations/{stationId}",
    "variation": "variant",
    "variations.id": "variant",
    "extra_groups.id": "group",
    "extra_groups.extras.id": "extra",
    "gallery.id": "photo",
}
# These are the owner's, whichever store a driver usually works for or an item with a photo is sold in.
OF_THE_OWNER = {"driver_id", "gallery.id", "restaurant_id"}
# What has to stand beside an id that the sample body has not.
BESIDE = {
    "variations.id": {"name": "Big", "price": 4},
    "extra_groups.id": {"name": "More", "extras": [{"name": "Garlic", "price": 1}]},
    "extra_groups.extras.id": {"name": "Garlic", "price": 1},
    "lines.line_id": {"quantity": 1},
}
# What a sample body has that may not stand beside the id, or would be refused before it.
INSTEAD_OF = {
    "lines.line_id": {"amount"},
    "items.item_id": {"address_id"},
    "items.variation": {"address_id"},
    "items.extras": {"address_id"},
}
# Those of other systems are texts.
NOT_IDS = {"account_id", "catalog_id", "client_id", "extra_groups.extras", "id", "location_id"}


def id_fields(model) -> Iterator[str]:
    """Yield the paths of the fields of a body that hold ids, with dots between names."""
    document = model.model_json_schema()
    yield from dict.fromkeys(_walk(document, document.get("$defs", {}), ()))


def _walk(schema, definitions, path):
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    for part in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])):
        yield from _walk(part, definitions, path)
    for name, field in schema.get("properties", {}).items():
        dotted = ".".join((*path, name))
        if (re.search(r"(^|_)ids?$", name) or name in THINGS) and dotted not in NOT_IDS:
            yield dotted
        yield from _walk(field, definitions, (*path, name))


def list_fields():
    """List the kinds of callers, the routes and the fields of bodies that hold ids."""
    return [
        (kind, route, field)
        for route in get_registry().routes
        if route.binding.body is not None
        for field in id_fields(route.binding.body)
        for kind in route.callers
        if kind == "owner" or kind in HOLDERS
    ]


def thing_of(field):
    """Return where the things of a field are made."""
    made = THINGS.get(field) or THINGS.get(field.rpartition(".")[2])
    assert made is not None, (
        f"The field {field} holds an id. Add to THINGS in tests/contract/test_foreign_ids.py what it is the id of, so "
        "that another owner's can be tried."
    )
    return made


async def make(workshop, thing, store_id):
    """Make a thing in a store and return its id."""
    if thing == "/restaurants/{id}":
        return store_id
    if thing == "line":
        order_id = await workshop.order(store_id)
        return (await fetched(workshop, f"/restaurants/{store_id}/orders/{order_id}"))["items"][0]["id"]
    if thing == "photo":
        return await workshop.photo(store_id, await workshop.item(store_id))
    if thing in {"variant", "group", "extra"}:
        groups = [{"name": "More", "extras": [{"name": "Garlic", "price": 1}]}]
        item_id = await workshop.item(store_id, variations=[{"name": "Big", "price": 4}], extra_groups=groups)
        menu = await fetched(workshop, f"/restaurants/{store_id}/menu")
        item = next(one for category in menu for one in category["items"] if one["id"] == item_id)
        group = item["extra_groups"][0]
        return {"variant": item["variations"][0], "group": group, "extra": group["extras"][0]}[thing]["id"]
    if thing.startswith("/customer/"):
        workshop.home = store_id
        await HOLDERS["customer"](workshop)
        return await FACTORIES[thing](workshop)
    path = thing.partition(" ")[2] or thing
    return await FACTORIES[thing if thing in FACTORIES else path](
        workshop, *([store_id] if "/restaurants" in path else [])
    )


async def fetched(workshop, path):
    response = await workshop.client.get(API_PREFIX + path, headers=workshop.owner.auth)
    return await response.get_json()


def with_id(body, field, foreign):
    """Return the body with an id at a place, in the first thing of each list on the way."""
    name, _, rest = field.partition(".")
    if not rest:
        return {**body, name: [foreign] if name.endswith("ids") or name == "extras" else foreign}
    of_list = body.get(name) or [{}]
    return {**body, name: [with_id(of_list[0], rest, foreign), *of_list[1:]]}


def sample(body, field):
    """Complete the body with what has to stand beside the id."""
    body = {name: value for name, value in body.items() if name not in INSTEAD_OF.get(field, ())}
    parent, _, _ = field.rpartition(".")
    if field not in BESIDE or not parent:
        return body
    first, _, second = parent.partition(".")
    if second:
        return {**body, first: [{"name": "More", second: [dict(BESIDE[field])]}]}
    return {**body, first: [dict(BESIDE[field])]}


@pytest.fixture(scope="module")
def find_foreign(world):
    """Return a function that finds a thing in another store of an owner, and creates it the first time."""
    workshops, found = {}, {}

    async def find(owner, store_type, thing):
        key = (owner.id, store_type)
        if key not in workshops:
            workshops[key] = PreparedWorkshop(world.client, owner, await owner.store(store_type), "Foreign")
        if (*key, thing) not in found:
            workshop = workshops[key]
            found[*key, thing] = await make(workshop, thing, workshop.home)
        return found[*key, thing]

    return find


async def test_a_foreign_id_in_a_body_is_refused_and_changes_nothing(world, tally, find_foreign):
    fields = list_fields()
    assert {field.rpartition(".")[2] for *_, field in fields} >= {"customer_id", "station_ids", "item_id", "extras"}
    assert {kind for kind, *_ in fields} >= {"owner", "staff", "customer"}
    with sweep(at_least=60) as checks:
        for kind, route, field in fields:
            with checks.check(f"{kind} {called(route)} {field}"):
                thing = thing_of(field)
                store_type = thing.partition(" ")[0] if " " in thing else "restaurant"
                if kind == "owner":
                    mine, _ = await world.sides_of(route)
                    headers = mine.owner.auth
                else:
                    mine, headers = await world.person(kind, world.owner, "Mine", store_type)
                ids = await mine.ids_of(route)
                body = sample(await mine.body_of(route, ids), field)

                for whose in [world.other_owner] if field in OF_THE_OWNER else [world.other_owner, world.owner]:
                    foreign = await find_foreign(whose, store_type, thing)
                    await tally.take()
                    status, answer = await send(world.client, route, ids, headers, with_id(body, field, foreign))

                    assert status in {404, 422}, (whose is world.owner, status, answer)
                    assert answer["code"] == {404: "not_found", 422: "validation_failed"}[status]
                    # A refusal that is about another field would prove nothing.
                    assert status == 404 or any(part in key for key in answer["errors"] for part in field.split("."))
                    assert await tally.take() == {}
