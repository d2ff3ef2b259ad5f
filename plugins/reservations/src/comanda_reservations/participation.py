"""Orders at a table are for a table that the store has."""

from comanda.contracts.order_participants import Errors, OrderRequest, StoreTerms

from comanda_reservations import tables

AT_THE_TABLE = "on-table"


async def load(terms: StoreTerms) -> frozenset[str] | None:
    """Return the numbers of the tables in use, or None where the store has defined no tables: then any will do."""
    return await tables.numbers_in_use(terms.owner_id, terms.id)


def check_table(incoming: OrderRequest) -> Errors:
    """Refuse a table that is not in use. Orders of other modes may name any."""
    known: frozenset[str] | None = incoming.loaded
    number = incoming.body.table_number
    if incoming.body.type != AT_THE_TABLE or known is None or not number or number in known:
        return {}
    return {"table_number": [f"There is no table {number} in use."]}
