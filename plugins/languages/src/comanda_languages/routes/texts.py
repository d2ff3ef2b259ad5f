"""Routes of the texts of menus in other languages."""

from comanda.contracts import PUBLIC, Answer, Call, Caller, PageRequest, RecordPage, Routes
from comanda.menu import PublicCategory, PublicMenuQuery

from comanda_languages.records import MenuLanguage, MenuText
from comanda_languages.schemas import MenuTextQuery, MenuTextsBody
from comanda_languages.services import public_menus, texts

routes = Routes("Menu languages")
public_routes = Routes("Public", callers=PUBLIC)


@routes.get("/restaurants/{id}/menu/languages", scope="menu:read")
async def list_menu_languages(caller: Caller, id: int) -> list[MenuLanguage]:
    """List the languages of pages, and how many texts of the menu there are in each."""
    return await texts.list_languages(caller, id)


@routes.get("/restaurants/{id}/menu/languages/{language}", scope="menu:read")
async def list_menu_texts(
    caller: Caller, id: int, language: str, query: MenuTextQuery, page: PageRequest
) -> RecordPage[MenuText]:
    """List the names and descriptions on the menu, 50 per page, with what each is in a language.

    A text that stands on the menu several times is listed once. Filter by ``state`` and ``search``.
    """
    return await texts.list_texts(caller, id, language, query, page)


@routes.put("/restaurants/{id}/menu/languages/{language}", scope="menu:write")
async def update_menu_texts(caller: Caller, id: int, language: str, body: MenuTextsBody) -> MenuLanguage:
    """Save what texts on the menu are in a language, at most 500 at once; the others stay as they are.

    Programs that translate send ``is_checked: false``, so that somebody looks at their texts. Orders, tickets and
    receipts keep the names of the menu.
    """
    return await texts.save_texts(caller, id, language, body)


@public_routes.get("/menu/{restaurantId}/languages/{language}", cors=True, answers=list[PublicCategory])
async def get_public_menu_in_language(call: Call, restaurant_id: int, language: str, query: PublicMenuQuery) -> Answer:
    """Return a store's public menu in a language, with the menu's own text where there is none in it."""
    return await public_menus.get_menu(call, restaurant_id, language, query.type)
