"""The texts of a store's menu in other languages: list, save and load."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson
from comanda.basics import NotFound, ValidationFailed
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.menu import owner_view
from comanda.menu import services as menu_services
from comanda.platform.db import sql
from comanda.web import LANGUAGES

from comanda_languages.records import MenuLanguage, MenuText, Use
from comanda_languages.schemas import MenuTextQuery, MenuTextsBody, TextState

# Texts that no longer stand on the menu are kept, as names come back; beyond so many rows they go.
MAX_ROWS: Final = 10_000
PER_PAGE: Final = 50

SELECT_TEXTS: Final = """
    SELECT source, text, is_checked FROM languages_text WHERE owner_id = $1 AND store_id = $2 AND language = $3
"""
COUNT_TEXTS: Final = """
    SELECT language, count(*) AS translated, count(*) FILTER (WHERE NOT is_checked) AS unchecked FROM languages_text
    WHERE owner_id = $1 AND store_id = $2 AND source = ANY($3::text[]) GROUP BY language
"""
SAVE_TEXTS: Final = """
    INSERT INTO languages_text AS t (owner_id, store_id, language, source, text, is_checked)
    SELECT $1, $2, $3, given.* FROM unnest($4::text[], $5::text[], $6::boolean[]) AS given
    ON CONFLICT (store_id, owner_id, language, md5(source)) DO UPDATE SET text = EXCLUDED.text,
        is_checked = EXCLUDED.is_checked WHERE (t.text, t.is_checked) <> (EXCLUDED.text, EXCLUDED.is_checked)
"""
DELETE_TEXTS: Final = """
    DELETE FROM languages_text WHERE owner_id = $1 AND store_id = $2 AND language = $3 AND source = ANY($4::text[])
"""
DELETE_UNUSED: Final = """
    DELETE FROM languages_text t WHERE t.owner_id = $1 AND t.store_id = $2 AND t.language = $3
        AND NOT t.source = ANY($4::text[])
        AND (SELECT count(*) FROM languages_text o
             WHERE o.owner_id = $1 AND o.store_id = $2 AND o.language = $3) > $5
"""


async def list_sources(caller: Caller, store_id: int) -> dict[str, Use]:
    """Return the texts of a store's menu in its order, and where each stands first. Raises ``NotFound``."""
    menu = orjson.loads(await owner_view.get_owner_menu(caller, store_id))
    sources: dict[str, Use] = {}
    for category in menu:
        for text, use in _list_texts(category):
            if text:
                sources.setdefault(text, use)
    return sources


def _list_texts(category: Mapping[str, Any]) -> Iterator[tuple[str | None, Use]]:
    yield category["name"], Use.CATEGORY
    for item in category["items"]:
        yield item["name"], Use.ITEM
        yield item["description"], Use.DESCRIPTION
        for variation in item["variations"]:
            yield variation["name"], Use.VARIATION
        for group in item["extra_groups"]:
            yield group["name"], Use.GROUP
            for extra in group["extras"]:
                yield extra["name"], Use.EXTRA


async def load_texts(owner_id: int, store_id: int, language: str) -> dict[str, str]:
    """Return what the texts of a store's menu are in a language."""
    return {row["source"]: row["text"] for row in await sql.fetch(SELECT_TEXTS, owner_id, store_id, language)}


async def list_languages(caller: Caller, store_id: int) -> list[MenuLanguage]:
    """List the languages of pages, and how much of a store's menu there is in each. Raises ``NotFound``."""
    sources = list(await list_sources(caller, store_id))
    rows = await sql.fetch(COUNT_TEXTS, caller.owner_id, store_id, sources)
    counts = {row["language"]: (row["translated"], row["unchecked"]) for row in rows}
    return [
        MenuLanguage(language.code, language.name, len(sources), *counts.get(language.code, (0, 0)))
        for language in LANGUAGES.values()
    ]


async def list_texts(
    caller: Caller, store_id: int, language: str, query: MenuTextQuery, page: PageRequest
) -> RecordPage[MenuText]:
    """List the texts of a store's menu in its order, with what they are in a language. Raises ``NotFound``."""
    _require_language(language)
    sources = await list_sources(caller, store_id)
    rows = {row["source"]: row for row in await sql.fetch(SELECT_TEXTS, caller.owner_id, store_id, language)}
    texts = [
        MenuText(source, use, row["text"] if row else None, is_checked=bool(row and row["is_checked"]))
        for source, use in sources.items()
        for row in [rows.get(source)]
    ]
    found = [text for text in texts if _is_in_state(text, query.state) and _contains(text, query.search)]
    start = page.offset(PER_PAGE)
    return page.of(found[start : start + page.size(PER_PAGE)], len(found), PER_PAGE)


async def save_texts(caller: Caller, store_id: int, language: str, body: MenuTextsBody) -> MenuLanguage:
    """Save texts in a language; guests see them with their next page.

    Raises ``NotFound``, and ``ValidationFailed`` for a source that does not stand on the menu.
    """
    _require_language(language)
    async with sql.transaction():
        store = await menu_services.get_owned_store(caller, store_id)
        sources = await list_sources(caller, store_id)
        _check_sources(body, sources)
        scope = (caller.owner_id, store_id, language)
        # In one order, so that two who save the same texts do not wait for each other.
        given = sorted({each.source: each for each in body.texts}.items())
        saved = [(source, each.translation, each.is_checked) for source, each in given if each.translation]
        await sql.execute(SAVE_TEXTS, *scope, *([row[column] for row in saved] for column in range(3)))
        await sql.execute(DELETE_TEXTS, *scope, [source for source, each in given if not each.translation])
        await sql.execute(DELETE_UNUSED, *scope, list(sources), MAX_ROWS)
        await menu_services.bump_version(store)
    return next(each for each in await list_languages(caller, store_id) if each.language == language)


def _require_language(language: str) -> None:
    if language not in LANGUAGES:
        raise NotFound


def _check_sources(body: MenuTextsBody, sources: Mapping[str, object]) -> None:
    unknown = {
        f"texts.{number}.source": ["This text does not stand on the menu."]
        for number, each in enumerate(body.texts)
        if each.source not in sources
    }
    if unknown:
        raise ValidationFailed(unknown)


def _is_in_state(text: MenuText, state: TextState) -> bool:
    if state is TextState.MISSING:
        return text.translation is None
    return state is TextState.ALL or (text.translation is not None and not text.is_checked)


def _contains(text: MenuText, search: str) -> bool:
    return any(search.casefold() in each.casefold() for each in (text.source, text.translation or ""))
