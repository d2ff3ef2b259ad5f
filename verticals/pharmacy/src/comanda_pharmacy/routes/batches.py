"""Batches, and the orders that have packs of them."""

from comanda.contracts import Answer, Caller, PageRequest, RecordPage, Routes

from comanda_pharmacy.records import Batch, BatchItem, BatchOrder, LineBatch
from comanda_pharmacy.schemas import BatchChange, BatchItemQuery, BatchQuery, ReceiptBody
from comanda_pharmacy.services import batches, recalls

routes = Routes("Pharmacy")

BATCHES = "/restaurants/{id}/batches"
BATCH = f"{BATCHES}/{{batchId}}"


@routes.get(BATCHES, scope="menu:read")
async def list_batches(caller: Caller, id: int, query: BatchQuery, page: PageRequest) -> RecordPage[Batch]:
    """List the batches of which packs are left, those that expire first at the top, 20 per page."""
    return await batches.list_batches(caller, id, query, page)


@routes.post(BATCHES, scope="menu:write")
async def receive_batch(caller: Caller, id: int, body: ReceiptBody) -> Batch:
    """Enter packs that have come in. They are added to the item's stock, and to the batch if it is known already."""
    return await batches.receive(caller, id, body)


@routes.get(f"{BATCHES}/items", scope="menu:read")
async def list_batch_items(caller: Caller, id: int, query: BatchItemQuery, page: PageRequest) -> RecordPage[BatchItem]:
    """List the items that are sold by batch: their stock, and what of it is in batches. ``search`` by name or GTIN."""
    return await batches.list_items(caller, id, query, page)


@routes.get(BATCH, scope="menu:read")
async def get_batch(caller: Caller, id: int, batch_id: int) -> Batch:
    """Return a batch."""
    return await batches.get_batch(caller, id, batch_id)


@routes.put(BATCH, scope="menu:write")
async def count_batch(caller: Caller, id: int, batch_id: int, body: BatchChange) -> Batch:
    """Set how many packs of a batch there are; the item's stock changes by the difference."""
    return await batches.count(caller, id, batch_id, body)


@routes.get(f"{BATCH}/orders", scope="orders:read")
async def list_batch_orders(caller: Caller, id: int, batch_id: int, page: PageRequest) -> RecordPage[BatchOrder]:
    """List the orders that have packs of a batch, newest first, 20 per page, for a recall."""
    return await recalls.list_orders(caller, id, batch_id, page)


@routes.get(f"{BATCH}/orders/export", scope="orders:read", answers=bytes, content_types=(recalls.CONTENT_TYPE,))
async def export_batch_orders(caller: Caller, id: int, batch_id: int) -> Answer:
    """Return the orders that have packs of a batch as CSV."""
    return await recalls.export_orders(caller, id, batch_id)


@routes.get("/restaurants/{id}/orders/{orderId}/batches", scope="orders:read")
async def list_order_batches(caller: Caller, id: int, order_id: int) -> list[LineBatch]:
    """List the batches that the lines of an order have."""
    return await recalls.list_line_batches(caller, id, order_id)
