"""Query parameters of the list of orders."""

from typing import Annotated

from comanda.contracts import Body, Moment, ShortText, TableNumber
from pydantic import Field


class StaffOrderFilter(Body):
    """Which orders to list: by kitchen ``status``, by ``type``, placed ``since`` a time, for a ``table``."""

    status: str | None = None
    type: Annotated[ShortText, Field(max_length=30)] | None = None
    since: Moment | None = None
    table: TableNumber | None = None
