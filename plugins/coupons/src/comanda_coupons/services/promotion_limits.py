"""Whether a promotion with limits is over, from the columns of its row."""

from typing import Any, Final, Protocol

STATE_COLUMNS: Final = "usage_limit, used_count, budget_minor, spent_minor, max_discount_minor"


class Columns(Protocol):
    """A row of a statement, or the values of a model."""

    def __getitem__(self, name: str, /) -> Any: ...


def is_over(row: Columns) -> bool:
    """Return whether no use is left, or less of the budget than an order may take."""
    return was_over(row, 0, 0)


def was_over(row: Columns, uses: int, spent_minor: int) -> bool:
    """Return whether it is over with so many uses more, and with an amount more spent."""
    return (row["usage_limit"] is not None and row["used_count"] + uses >= row["usage_limit"]) or (
        row["budget_minor"] is not None
        and row["spent_minor"] + spent_minor + row["max_discount_minor"] > row["budget_minor"]
    )
