"""Order participant: checks the table number of dine-in orders."""

from comanda.contracts.order_participants import Errors, OrderRequest, StoreTerms

from comanda_reservations.services import tables

DINE_IN_MODE = "on-table"


async def load_table_numbers(terms: StoreTerms) -> frozenset[str] | None:
    """Return the numbers of the store's active tables, or None if it has defined none and accepts any number."""
    return await tables.get_active_table_numbers(terms.owner_id, terms.id)


def check_table_number(order_request: OrderRequest) -> Errors:
    """Return an error for a dine-in order whose table is not active. Orders of other modes are not checked."""
    known: frozenset[str] | None = order_request.loaded
    number = order_request.body.table_number
    if order_request.body.type != DINE_IN_MODE or known is None or not number or number in known:
        return {}
    return {"table_number": [f"Table {number} does not exist or is not active."]}
