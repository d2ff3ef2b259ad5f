"""Hook implementations of the demo data."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.demo import DemoData
from comanda.operations.demo_data import history, open_orders, owners


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [
        DemoData("owners", owners.create_owners, list_logins=owners.list_logins),
        DemoData("history", history.create_past_orders, needs_stores=True),
        DemoData("open_orders", open_orders.create_open_orders, needs_stores=True),
    ]
