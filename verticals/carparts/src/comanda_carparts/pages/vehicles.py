"""The page on which guests of a parts shop say which car they have, and find the parts that fit it."""

from typing import Any, Final

from comanda.basics import Money, NotFound, ValidationFailed
from comanda.contracts import OfferedItem, Pages, StoreLink, parse_query
from comanda.menu import PriceChannel, get_at_prices, snapshot
from comanda.web import N_, GuestStore, store_guests
from quart import Blueprint, Response, abort, render_template, request

from comanda_carparts.pages.chosen_car import Car, get_chosen_car, store_car
from comanda_carparts.schemas import FitmentQuery
from comanda_carparts.services import vehicles

CAPABILITY: Final = "fitment"
FIELDS: Final = ("make", "model", "year")
# What was free a moment ago may be sold.
HEADERS: Final = {"Cache-Control": "no-store"}

blueprint: Final = Blueprint("carparts", __name__, template_folder="templates")
pages: Final = Pages(
    blueprint,
    store_links=(
        StoreLink(
            N_("Which car do you have?"),
            "/s/{slug}/vehicles",
            lambda terms: terms.vertical is not None and CAPABILITY in terms.vertical.capabilities,
        ),
    ),
)


@blueprint.get("/s/<slug>/vehicles")
async def show_vehicles(slug: str) -> Response:
    """Ask for make, model and year, one after the other, and return the parts that fit."""
    try:
        store = await store_guests.get_public_store(slug)
    except NotFound:
        abort(404)
    if not store.has(CAPABILITY):
        abort(404)
    if not request.args and (car := get_chosen_car(request.cookies)):
        return Response(status=303, headers={"Location": f"/s/{store.slug}/vehicles?{car.query}"})
    values = await _load(store, _read_query())
    page = await render_template("carparts/vehicles.html", store=store, **values)
    response = Response(page, headers=HEADERS)
    if values["parts"] is not None:
        store_car(response, Car(values["make"], values["model"], values["year"]), store.slug)
    return response


def _read_query() -> FitmentQuery:
    """Return as much of a car as the query names; nothing if it cannot be one."""
    asked = {name: text for name in FIELDS if (text := request.args.get(name, "").strip())}
    try:
        return parse_query(FitmentQuery, asked)
    except ValidationFailed:
        return FitmentQuery()


async def _load(store: GuestStore, query: FitmentQuery) -> dict[str, Any]:
    place = (store.owner_id, store.id)
    makes = await vehicles.list_makes(*place)
    models = await vehicles.list_models(*place, query.make) if query.make else []
    is_model_known = bool(query.make and query.model and models)
    years = await vehicles.list_years(*place, query.make or "", query.model or "") if is_model_known else []
    found = None
    if years and query.year is not None:
        found = await vehicles.list_parts(*place, query.make or "", query.model or "", query.year)
    return {
        "makes": makes,
        "models": models,
        "years": years,
        "make": _spell(query.make, makes),
        "model": _spell(query.model, models),
        "year": query.year,
        "parts": None if found is None else await _to_parts(store, found),
    }


def _spell(asked: str | None, known: list[str]) -> str | None:
    """Return a name as the store spells it."""
    return next((name for name in known if name.casefold() == asked), asked)


async def _to_parts(store: GuestStore, found: list[vehicles.VehiclePart]) -> list[dict[str, Any]]:
    loaded = await snapshot.get_snapshot(store.id, store.menu_version, store.stock_version)
    menu = await get_at_prices(loaded, None, PriceChannel.STOREFRONT)
    offered = ((each, menu.items.get(each.item_id)) for each in found)
    return [
        {
            "url": f"/s/{store.slug}/items/{item.id}",
            "name": item.name,
            "price": Money(_get_lowest_price(item), menu.terms.currency),
            "is_sold_out": not item.is_available,
            "notes": each.notes,
        }
        for each, item in offered
        if item is not None and item.is_on_menu
    ]


def _get_lowest_price(item: OfferedItem) -> int:
    return min((variant.price_minor for variant in item.variants if variant.is_active), default=item.price_minor)
