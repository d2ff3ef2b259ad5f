"""Query parameters of the list of orders."""

from typing import Annotated

from comanda.contracts import Body, Moment, ShortText, TableNumber
from pydantic import Field


class StaffOrderFilter(Body):
    """Which orders to list: by kitchen ``status``, by ``type``, placed ``since`` a time, for a ``table``.

    With ``is_due``, only those of which something is still to pay are listed.
    """

    status: str | None = None
    type: Annotated[ShortText, Field(max_length=30)] | None = None
    since: Moment | None = None
    table: TableNumber | None = None
    is_due: Annotated[bool, Field(description="Whether to list only orders with an `amount_due`.")] = False
