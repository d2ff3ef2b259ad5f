"""A store's own texts of messages."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_notifications.records import EditableTemplate, TemplateText
from comanda_notifications.schemas import TextBody
from comanda_notifications.services import template_overrides

routes = Routes("Messages")

TEXT_PATH = "/restaurants/{id}/message-templates/{name}/{channel}/{language}"


@routes.get("/restaurants/{id}/message-templates", scope="restaurants:read")
async def list_message_templates(caller: Caller, id: int, page: PageRequest) -> RecordPage[EditableTemplate]:
    """List the messages that a store sends, 20 per page, with their fields and the current texts in all languages."""
    return await template_overrides.list_templates(caller, id, page)


@routes.put(TEXT_PATH, scope="restaurants:write")
async def update_message_text(
    caller: Caller, id: int, name: str, channel: str, language: str, body: TextBody
) -> TemplateText:
    """Set the store's own text of a message for one channel and language; returns it with a preview."""
    return await template_overrides.update_override(caller, id, name, channel, language, body)


@routes.delete(TEXT_PATH, scope="restaurants:write")
async def delete_message_text(caller: Caller, id: int, name: str, channel: str, language: str) -> None:
    """Delete the store's own text of a message, so that the default text applies again."""
    await template_overrides.delete_override(caller, id, name, channel, language)
