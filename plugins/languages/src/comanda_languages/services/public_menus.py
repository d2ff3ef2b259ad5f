"""The public menu in a language."""

from comanda.basics import NotFound
from comanda.contracts import Answer, Call
from comanda.menu import PriceChannel, get_at_prices, languages, public_view
from comanda.platform.http import cacheable_answer
from comanda.web import LANGUAGES


async def get_menu(call: Call, store_id: int, language: str, mode: str | None) -> Answer:
    """Return a menu in a language at the prices of a mode.

    Raises ``NotFound``, also for a language that no page is in.
    """
    if language not in LANGUAGES:
        raise NotFound
    menu = await public_view.get_public_menu(store_id, with_participants=False)
    translated = await languages.get_in_language(menu, language)
    found = await get_at_prices(translated, mode, PriceChannel.STOREFRONT)
    return cacheable_answer(call, found.public, found.etag)
