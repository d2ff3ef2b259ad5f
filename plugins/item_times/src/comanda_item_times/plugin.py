"""When items are sold: windows of time on weekdays, and a first and a last day."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, ItemCapability

from comanda_item_times.item_capabilities import ITEM_TIMES


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    return [ITEM_TIMES]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="item-times",
            title="Times of sale",
            summary="Items that are sold at some times of day, on some days of the week, or in a season.",
            package="comanda_item_times",
            path="docs/item-times.md",
        )
    ]
