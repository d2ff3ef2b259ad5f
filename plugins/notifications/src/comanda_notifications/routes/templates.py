"""The texts of messages, as owners word them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_notifications import own_texts
from comanda_notifications.schemas import TemplateOut, TextBody, TextOut

routes = Routes("Messages")

TEXT = "/restaurants/{id}/message-templates/{name}/{channel}/{language}"


@routes.get("/restaurants/{id}/message-templates", scope="restaurants:read", answers=Page[TemplateOut])
async def list_message_templates(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List the messages that a store sends, 20 per page: their fields, and the texts in force in every language."""
    return await own_texts.page_of_templates(caller, id, page)


@routes.put(TEXT, scope="restaurants:write", answers=TextOut)
async def write_message_text(
    caller: Caller, id: int, name: str, channel: str, language: str, body: TextBody
) -> dict[str, Any]:
    """Set the store's own text of a message, on one channel and in one language; answers with a preview."""
    return await own_texts.write(caller, id, name, channel, language, body)


@routes.delete(TEXT, scope="restaurants:write")
async def delete_message_text(caller: Caller, id: int, name: str, channel: str, language: str) -> None:
    """Delete the store's own text of a message, and go back to the words that it comes with."""
    await own_texts.delete(caller, id, name, channel, language)
