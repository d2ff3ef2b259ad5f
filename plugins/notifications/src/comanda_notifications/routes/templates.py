"""The texts of messages, as owners word them."""

from typing import Any

from comanda.accounts.kinds import Caller
from comanda.http.paging import Page, PageRequest
from comanda.http.routes import Routes

from comanda_notifications.schemas import TemplateOut, TextBody, TextOut
from comanda_notifications.services import template_overrides

routes = Routes("Messages")

TEXT_PATH = "/restaurants/{id}/message-templates/{name}/{channel}/{language}"


@routes.get("/restaurants/{id}/message-templates", scope="restaurants:read", answers=Page[TemplateOut])
async def list_message_templates(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List the messages that a store sends, 20 per page: their fields, and the texts in force in every language."""
    return await template_overrides.list_templates(caller, id, page)


@routes.put(TEXT_PATH, scope="restaurants:write", answers=TextOut)
async def update_message_text(
    caller: Caller, id: int, name: str, channel: str, language: str, body: TextBody
) -> dict[str, Any]:
    """Set the store's own text of a message, on one channel and in one language; answers with a preview."""
    return await template_overrides.update_override(caller, id, name, channel, language, body)


@routes.delete(TEXT_PATH, scope="restaurants:write")
async def delete_message_text(caller: Caller, id: int, name: str, channel: str, language: str) -> None:
    """Delete the store's own text of a message, and go back to the words that it comes with."""
    await template_overrides.delete_override(caller, id, name, channel, language)
