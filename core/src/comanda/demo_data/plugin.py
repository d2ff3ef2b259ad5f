"""What the demo declares."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.demo import DemoData
from comanda.demo_data import owners


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Register the two owners whose stores and menus the verticals add."""
    return [DemoData("owners", owners.fill, list_people=owners.list_people)]
