"""What agents learn about webhooks."""

from typing import Annotated, Any

from comanda.contracts.mcp import Arguments, Tool, ToolCall
from pydantic import BaseModel, Field

from comanda_webhooks import catalogue


class EventsArguments(Arguments):
    """Which events."""

    group: Annotated[
        str | None,
        Field(max_length=100, description="Only events of a group, such as 'order' or 'order.*'; all if left out."),
    ] = None


class EventOut(BaseModel):
    """An event. ``scope`` is what an app needs to hear it; schema and sample are of the body's ``data``."""

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


async def list_webhook_events(call: ToolCall, arguments: EventsArguments) -> EventList:
    """List the events."""
    groups, found = catalogue.events(arguments.group)
    return EventList(groups=groups, events=[EventOut(**one) for one in found])


TOOLS = (
    Tool(
        name="list_webhook_events",
        title="Events of webhooks",
        description=(
            "Lists the events that this installation sends to webhook endpoints: name, when it fires, the scope that "
            "an app needs, a JSON Schema of its data and a sample. The chapter 'webhooks' tells how deliveries are "
            "signed, verified and repeated."
        ),
        servers=("dev",),
        arguments=EventsArguments,
        result=EventList,
        handler=list_webhook_events,
        is_read_only=True,
    ),
)
