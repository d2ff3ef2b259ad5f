"""Batches: what is left of them, what has come in, and which orders have packs of one."""

from typing import Any, Final

from comanda.web import N_, PRIVATE_HEADERS
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response, request

from comanda_pharmacy.pages.dashboard import READ, READ_MENU, WRITE_MENU, dashboard
from comanda_pharmacy.schemas import BatchShow

BATCHES: Final = "/restaurants/{id}/batches"
BATCH: Final = f"{BATCHES}/{{batchId}}"
ITEMS: Final = f"{BATCHES}/items"
ORDERS: Final = f"{BATCH}/orders"
MAX_CHOICES: Final = 100
SHOW_LABELS: Final = {BatchShow.LEFT: N_("In stock"), BatchShow.EXPIRED: N_("Expired"), BatchShow.ALL: N_("All")}


@dashboard.get("/stores/<int:store_id>/batches", scope=READ_MENU)
async def list_batches(visit: Visit, store_id: int) -> Response:
    """List the batches, those that expire first at the top."""
    shown = request.args.get("show", "")
    shown = shown if shown in set(BatchShow) else BatchShow.LEFT.value
    query = {**visit.query("search", "page"), "show": shown}
    return await visit.render(
        "pharmacy/dashboard/batches.html",
        batches=await visit.api.get(BATCHES, id=store_id, query=query),
        shown=shown,
        search=query.get("search", ""),
        labels={show.value: _(label) for show, label in SHOW_LABELS.items()},
    )


@dashboard.get("/stores/<int:store_id>/batches/new", scope=WRITE_MENU)
async def show_receipt(visit: Visit, store_id: int) -> Response:
    """Show the form of packs that have come in, for the items that a scanned code or a name finds."""
    return await _render_receipt(visit, visit.form("POST", BATCHES))


@dashboard.post("/stores/<int:store_id>/batches/new", scope=WRITE_MENU)
async def receive_batch(visit: Visit, store_id: int) -> Response:
    """Enter packs that have come in."""
    form = await visit.read_form("POST", BATCHES, id=store_id)
    chosen = (await visit.read_texts()).get("_item", "")
    item_id, _separator, variation = chosen.partition(":")
    form.values |= {"item_id": item_id, "variation": variation or None}
    if (batch := await form.submit()) is None:
        return await _render_receipt(visit, form, chosen)
    notice = _("Batch %(number)s: %(quantity)s in stock.", number=batch["number"], quantity=batch["quantity"])
    return visit.redirect(f"/stores/{store_id}/batches/new", notice=notice)


@dashboard.get("/stores/<int:store_id>/batches/<int:batch_id>", scope=READ_MENU)
async def show_batch(visit: Visit, store_id: int, batch_id: int) -> Response:
    """Show a batch, and the orders that have packs of it."""
    batch = await visit.api.get(BATCH, id=store_id, batchId=batch_id)
    return await _render_batch(visit, batch["id"], visit.form("PUT", BATCH, batch))


@dashboard.post("/stores/<int:store_id>/batches/<int:batch_id>", scope=WRITE_MENU)
async def count_batch(visit: Visit, store_id: int, batch_id: int) -> Response:
    """Set how many packs of a batch there are."""
    form = await visit.read_form("PUT", BATCH, id=store_id, batchId=batch_id)
    if await form.submit() is None:
        return await _render_batch(visit, batch_id, form)
    return visit.redirect(f"/stores/{store_id}/batches/{batch_id}", notice=_("Batch saved."))


@dashboard.get("/stores/<int:store_id>/batches/<int:batch_id>/orders.csv", scope=READ)
async def export_orders(visit: Visit, store_id: int, batch_id: int) -> Response:
    """Send the orders that have packs of a batch for spreadsheets."""
    answer = await visit.api.send("GET", f"{ORDERS}/export", id=store_id, batchId=batch_id)
    return Response(answer.body, content_type=answer.content_type, headers={**answer.headers, **PRIVATE_HEADERS})


async def _render_receipt(visit: Visit, form: Form, chosen: str = "") -> Response:
    search = visit.query("search")
    items = await visit.api.get(ITEMS, id=visit.store.id, query={**search, "per_page": MAX_CHOICES})
    return await visit.render(
        "pharmacy/dashboard/goods_receipt.html",
        form=form,
        search=search.get("search", ""),
        chosen=chosen,
        choices=[_to_choice(item) for item in items["data"]],
    )


async def _render_batch(visit: Visit, batch_id: int, form: Form) -> Response:
    orders = None
    if visit.may(READ):
        orders = await visit.api.get(ORDERS, id=visit.store.id, batchId=batch_id, query=visit.query("page"))
    return await visit.render(
        "pharmacy/dashboard/batch.html",
        form=form,
        batch=await visit.api.get(BATCH, id=visit.store.id, batchId=batch_id),
        orders=orders,
    )


def _to_choice(item: dict[str, Any]) -> tuple[str, str]:
    """Return an item as the form sends it, and its name with the packs that have no batch."""
    variation = item["variation_id"]
    name = item["item"] if variation is None else f"{item['item']}, {item['variation']}"
    without = (item["stock"] or 0) - item["in_batches"]
    label = _("%(item)s (%(number)s without a batch)", item=name, number=without) if without > 0 else name
    return str(item["item_id"]) if variation is None else f"{item['item_id']}:{variation}", label
