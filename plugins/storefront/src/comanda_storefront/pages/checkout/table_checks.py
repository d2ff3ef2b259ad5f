"""The open checks of a table, as the store's page shows them to guests who have read its code."""

from comanda.basics import clock
from comanda.orders import Order, create_table_token
from comanda.web import GuestStore

from comanda_storefront.pages.formats import format_price, format_time
from comanda_storefront.schemas.page_orders import TableCheck, TableCodeBody
from comanda_storefront.services import guest_changes, table_codes


async def list_table_checks(store: GuestStore, body: TableCodeBody) -> list[TableCheck]:
    """List the open checks of a table. Raises ``NotFound`` for a code that is not the table's."""
    orders = await table_codes.list_table_checks(store, body.table, body.code)
    return [await _to_table_check(order, store) for order in orders]


async def _to_table_check(order: Order, store: GuestStore) -> TableCheck:
    return TableCheck(
        token=await create_table_token(order),
        number=order.number,
        due_text=format_price(order.amount_due_minor, order.currency),
        placed_at_text=format_time(order.created_at, store.zone, clock.now()),
        takes_rounds=await guest_changes.allows_rounds(order),
    )
