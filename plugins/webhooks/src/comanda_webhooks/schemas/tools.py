"""Arguments and results of the MCP tools."""

from typing import Annotated, Any

from comanda.contracts.mcp import Arguments
from pydantic import BaseModel, Field


class EventsArguments(Arguments):
    """Filter for the events to list."""

    group: Annotated[
        str | None,
        Field(max_length=100, description="Only events of this group, such as 'order' or 'order.*'; all if omitted."),
    ] = None


class EventOut(BaseModel):
    """An event. ``scope`` is what an app needs to receive it; schema and sample describe ``data`` in the body."""

    name: str
    group: str
    scope: str
    description: str
    data_schema: dict[str, Any]
    sample: dict[str, Any]


class EventList(BaseModel):
    """Events, and all groups: ``order.*`` subscribes to the group ``order``, ``*`` to everything."""

    groups: list[str]
    events: list[EventOut]
