"""The public list of stores: published and listed ones of owners who are not suspended, by title or by a search."""

from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics import clock
from comanda.basics.text_search import VECTOR, prefix_query, split_words
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.photos import urls
from comanda.stores.records import find_vertical, get_opening
from comanda.web import formats

STORES_PER_PAGE: Final = 24
MAX_PAGE: Final = 1000
MAX_SITEMAP_URLS: Final = 5000
MAX_SEARCH_LENGTH: Final = 100
# The widest that a card is, on a screen of twice the density.
CARD_WIDTH: Final = 640

IS_PUBLIC: Final = "s.is_published AND s.is_listed AND NOT o.is_suspended"
# The index core_store_words is built on this expression.
STORE_WORDS: Final = VECTOR.format("s.title || ' ' || coalesce(s.address, '')")
# The photo is that of a popular item, or else of any; it is looked for in the stores of the page alone.
SELECT_STORES: Final = f"""
    WITH found AS MATERIALIZED (
        SELECT s.id, s.owner_id, s.title, s.slug, s.store_type, s.address, s.hours, s.timezone, s.is_published
        FROM core_store s JOIN core_owner o ON o.id = s.owner_id
        WHERE {IS_PUBLIC} AND ($1::text IS NULL OR {STORE_WORDS} @@ $1::text::tsquery)
        ORDER BY s.title, s.id LIMIT $2 OFFSET $3)
    SELECT f.id, f.title, f.slug, f.store_type, f.address, f.hours, f.timezone, f.is_published, photo.hash
    FROM found f LEFT JOIN LATERAL (
        SELECT p.hash FROM core_gallery_picture g
        JOIN core_photo p ON p.id = g.photo_id AND p.owner_id = g.owner_id AND p.is_stored
        JOIN core_menu_item i ON i.id = g.item_id AND i.owner_id = g.owner_id AND i.is_active
        WHERE g.store_id = f.id AND g.owner_id = f.owner_id
        ORDER BY i.is_popular DESC, g.position, g.id LIMIT 1) photo ON true
    ORDER BY f.title, f.id
"""
SELECT_SLUGS: Final = f"""
    SELECT s.slug FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE {IS_PUBLIC} ORDER BY s.title, s.id LIMIT $1 OFFSET $2
"""
COUNT_STORES: Final = f"SELECT count(*) FROM core_store s JOIN core_owner o ON o.id = s.owner_id WHERE {IS_PUBLIC}"


@dataclass(frozen=True, slots=True)
class CardPhoto:
    """A photo on a card, with its size, so that the page does not move when it arrives."""

    url: str
    source_set: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class StoreCard:
    """A store in the list. ``url`` is that of its page, None if no plugin shows stores to the public."""

    title: str
    url: str | None
    type_label: str
    address: str | None
    is_open: bool
    opens_at: str | None
    closes_at: str | None
    photo: CardPhoto | None
    tone: int

    @property
    def initial(self) -> str:
        """The first letter of the title, for a store without photos."""
        return next((letter.upper() for letter in self.title if letter.isalnum()), "•")


@dataclass(frozen=True, slots=True)
class StorePage:
    """A page of the list, and whether there are further stores."""

    stores: tuple[StoreCard, ...]
    search: str
    page: int
    has_next: bool


def parse_page(text: str) -> int:
    """Return the number of a page, 1 for anything else."""
    return min(int(text), MAX_PAGE) if text.isascii() and text.isdigit() and len(text) < 6 and int(text) else 1


async def list_stores(search: str, page: int) -> StorePage:
    """Return the stores in whose title or address some word begins with each of the words, all of them without any."""
    sought = search[:MAX_SEARCH_LENGTH].replace("\0", " ").strip()
    words = split_words(sought)
    if sought and not words:
        return StorePage((), sought, page, has_next=False)
    rows = await sql.fetch(
        SELECT_STORES, prefix_query(words) or None, STORES_PER_PAGE + 1, (page - 1) * STORES_PER_PAGE
    )
    cards = tuple([_to_card(row) for row in rows[:STORES_PER_PAGE]])
    return StorePage(cards, sought, page, has_next=len(rows) > STORES_PER_PAGE)


async def list_store_urls(part: int) -> list[str]:
    """Return the addresses of the pages of stores, for one part of the sitemap, counted from 0."""
    if not runtime.registry().has_store_pages():
        return []
    rows = await sql.fetch(SELECT_SLUGS, MAX_SITEMAP_URLS, part * MAX_SITEMAP_URLS)
    return [_to_url(row["slug"]) for row in rows]


async def count_sitemap_parts() -> int:
    """Return the number of parts of the sitemap, at least 1."""
    count: int = await sql.fetch_value(COUNT_STORES)
    return max(1, -(-count // MAX_SITEMAP_URLS))


def _to_card(row: sql.Row) -> StoreCard:
    opening, zone = get_opening(row, clock.now()), ZoneInfo(row["timezone"])
    vertical = find_vertical(row["store_type"])
    return StoreCard(
        title=row["title"],
        url=_to_url(row["slug"]) if runtime.registry().has_store_pages() else None,
        type_label=vertical.label if vertical else "",
        address=row["address"],
        is_open=opening.is_open,
        opens_at=formats.format_moment(opening.next_open_at, zone) if opening.next_open_at else None,
        closes_at=formats.format_time(opening.closes_at, zone) if opening.closes_at else None,
        photo=_to_photo(row),
        tone=row["id"] % 6,
    )


def _to_photo(row: sql.Row) -> CardPhoto | None:
    if row["hash"] is None:
        return None
    url = urls.to_url(row["id"], row["hash"], CARD_WIDTH)
    return CardPhoto(urls.resize_url(url, 320), urls.to_source_set(url, CARD_WIDTH), 320, 240)


def _to_url(slug: str) -> str:
    return runtime.registry().store_url(runtime.settings().site_url, slug)
