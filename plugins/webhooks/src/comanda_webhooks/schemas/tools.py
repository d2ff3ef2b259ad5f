"""Arguments of the MCP tools."""

from typing import Annotated

from comanda.contracts import Arguments
from pydantic import Field


class EventsArguments(Arguments):
    """Filter for the events to list."""

    group: Annotated[
        str | None,
        Field(max_length=100, description="Only events of this group, such as 'order' or 'order.*'; all if omitted."),
    ] = None
