"""MCP tools about webhooks."""

from comanda.contracts import Tool, ToolCall

from comanda_webhooks.records import EventCatalog
from comanda_webhooks.schemas import EventsArguments
from comanda_webhooks.services import event_catalog


async def list_webhook_events(call: ToolCall, arguments: EventsArguments) -> EventCatalog:
    return event_catalog.list_events(arguments.group)


TOOLS = (
    Tool(
        name="list_webhook_events",
        title="Events of webhooks",
        description=(
            "Lists the events that this installation sends to webhook endpoints: name, when it is sent, the scope that "
            "an app needs, a JSON Schema of its data and a sample. The chapter 'webhooks' describes how deliveries are "
            "signed, verified and retried."
        ),
        servers=("dev",),
        arguments=EventsArguments,
        result=EventCatalog,
        handler=list_webhook_events,
        is_read_only=True,
    ),
)
