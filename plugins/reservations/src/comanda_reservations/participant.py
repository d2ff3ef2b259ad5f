"""Order participant: checks the table number of dine-in orders."""

from comanda.contracts import Contribution, OrderRequest, Problem, StoreTerms

from comanda_reservations.services import tables

PARTICIPANT_NAME = "tables"
DINE_IN_MODE = "on-table"


async def load_table_numbers(terms: StoreTerms) -> frozenset[str] | None:
    """Return the numbers of the store's active tables, or None if it has defined none and accepts any number."""
    return await tables.get_active_table_numbers(terms.owner_id, terms.id)


def check_table_number(request: OrderRequest, known: frozenset[str] | None) -> Contribution | None:
    """Return a problem for a dine-in order whose table is not active. Orders of other modes are not checked."""
    number = request.body.table_number
    if request.body.type != DINE_IN_MODE or known is None or not number or number in known:
        return None
    return Contribution(problems=[Problem("table_number", f"Table {number} does not exist or is not active.")])
