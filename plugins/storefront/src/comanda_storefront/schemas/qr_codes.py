"""Query parameters of QR codes."""

from typing import Annotated, Literal

from comanda.contracts import Body, TableNumber, Text
from pydantic import Field


class QrQuery(Body):
    """The QR code to draw: of a ``table`` or of the store, as ``svg`` or ``png``."""

    table: Annotated[TableNumber | None, Field(description="If omitted, the code leads to the store's page.")] = None
    format: Annotated[Literal["svg", "png"], Field(description="A vector or a pixel image.")] = "svg"


class QrSheetQuery(Body):
    """The cards to draw: one for each of ``tables``, or one for the store."""

    tables: Annotated[
        Text | None, Field(description="Table names and ranges, such as `1-12, Terrace`; at most 200 tables.")
    ] = None
