"""Creation, lookup and settings of stores."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final

from comanda.accounts.administration import OPERATOR
from comanda.basics import clock, money
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.platform import runtime
from comanda.platform.audit_log.entries import record_action
from comanda.platform.db import sql
from comanda.platform.db.references import check_references
from comanda.platform.entitlements import require_quota
from comanda.stores.hours_schemas import ROUND_THE_CLOCK, HoursChange, to_stored_hours
from comanda.stores.models import Store
from comanda.stores.quota import STORES
from comanda.stores.records import (
    SETTINGS_COLUMNS,
    STORE_COLUMNS,
    CategoryCount,
    GeneralSettings,
    StoreOverview,
    StoreSummary,
    find_vertical,
    get_opening,
    to_store_settings,
    to_store_summary,
)
from comanda.stores.schemas import SettingsChange
from comanda.stores.settings import apply_change
from comanda.stores.zones import is_time_zone

# What ``require_store`` returns.
REQUIRED_COLUMNS: Final = "id, store_type, currency, timezone, day_start_minutes, menu_version"
SELECT_CATEGORY_COUNTS = """
    SELECT c.id, c.name, c.position, count(i.id) AS items_count,
           count(i.id) FILTER (WHERE i.is_sold_out AND (i.sold_out_until IS NULL OR i.sold_out_until > $3)) AS sold_out
    FROM core_menu_category c
    LEFT JOIN core_menu_item i ON i.category_id = c.id AND i.owner_id = c.owner_id
    WHERE c.store_id = $1 AND c.owner_id = $2
    GROUP BY c.id, c.name, c.position ORDER BY c.position, c.id
"""

INSERT_STORE = """
    WITH made AS (
        INSERT INTO core_store (owner_id, title, slug, store_type, currency, timezone, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (slug) DO NOTHING RETURNING id)
    SELECT id FROM made
"""

# Read for the page that is being answered.
_known_stores: ContextVar[Mapping[tuple[int, int], sql.Row]] = ContextVar("known_stores", default=MappingProxyType({}))


async def list_stores(caller: Caller, page: PageRequest) -> RecordPage[StoreSummary]:
    """List the caller's stores, newest first."""
    matching = "FROM core_store WHERE owner_id = $1 AND ($2::bigint IS NULL OR id = $2)"
    total = await sql.fetch_value(f"SELECT count(*) {matching}", caller.owner_id, caller.store_id)
    rows = await sql.fetch(
        f"SELECT {STORE_COLUMNS} {matching} ORDER BY id DESC LIMIT $3 OFFSET $4",
        caller.owner_id,
        caller.store_id,
        page.size(),
        page.offset(),
    )
    return page.of([to_store_summary(row) for row in rows], total)


async def get_store(caller: Caller, store_id: int) -> StoreOverview:
    """Return a store with its categories. Raises ``NotFound`` like ``require_store``."""
    row = await _get_row(caller, store_id, SETTINGS_COLUMNS)
    moment = clock.now()
    categories = await sql.fetch(SELECT_CATEGORY_COUNTS, store_id, caller.owner_id, moment)
    return StoreOverview(
        summary=to_store_summary(row),
        settings=to_store_settings(row),
        opening=get_opening(row, moment),
        categories=tuple(
            CategoryCount(category["id"], category["name"], category["position"], category["items_count"])
            for category in categories
        ),
        items_count=sum(category["items_count"] for category in categories),
        sold_out_count=sum(category["sold_out"] for category in categories),
    )


async def require_store(caller: Caller, store_id: int) -> sql.Row:
    """Return the caller's store. Raises ``NotFound`` for another owner's, or one that the token does not cover."""
    known = _known_stores.get().get((caller.owner_id, store_id))
    if known is not None and caller.reaches(store_id):
        return known
    return await _get_row(caller, store_id, REQUIRED_COLUMNS)


@contextmanager
def use_known_stores(owner_id: int, rows: Sequence[sql.Row]) -> Iterator[None]:
    """Return these rows, which have ``REQUIRED_COLUMNS``, from ``require_store`` while a block runs that only reads."""
    token = _known_stores.set({(owner_id, row["id"]): row for row in rows})
    try:
        yield
    finally:
        _known_stores.reset(token)


async def get_settings(caller: Caller, store_id: int) -> GeneralSettings:
    """Return a store's settings. Raises ``NotFound`` like ``require_store``."""
    return to_store_settings(await _get_row(caller, store_id, SETTINGS_COLUMNS))


async def update_settings(caller: Caller, store_id: int, change: SettingsChange) -> GeneralSettings:
    """Update a store's settings and return all of them.

    Raises ``NotFound`` like ``require_store``, and ``ValidationFailed`` for an unknown fulfillment mode or an amount
    that the currency cannot express.
    """
    async with sql.transaction():
        store = await lock_store(caller, store_id)
        await save_store(store, apply_change(store, change))
    return await get_settings(caller, store_id)


async def update_hours(caller: Caller, store_id: int, change: HoursChange) -> GeneralSettings:
    """Update the hours of the given days and return all settings. Raises ``NotFound`` like ``require_store``.

    A store without hours stays open around the clock on the other days.
    """
    given = to_stored_hours(change)
    async with sql.transaction():
        # Locked, because two requests may change different days at once.
        store = await lock_store(caller, store_id)
        if given:
            store.hours = {**(store.hours or ROUND_THE_CLOCK), **given}
            await save_store(store, ["hours"])
    return await get_settings(caller, store_id)


async def create_store(
    owner_id: int, title: str, store_type: str, *, currency: str = "EUR", timezone: str = "UTC", slug: str | None = None
) -> int:
    """Create a store and return its id.

    Raises ``ValidationFailed`` for invalid fields, a slug in use, and beyond the number of stores of the owner's plan.
    """
    if find_vertical(store_type) is None:
        known = ", ".join(sorted(runtime.registry().verticals)) or "none, as no vertical is installed"
        raise ValidationFailed(store_type=[f"There is no store type {store_type}. Known are: {known}."])
    try:
        money.get_exponent(currency)
    except ValueError as error:
        raise ValidationFailed(currency=[str(error)]) from error
    if not is_time_zone(timezone):
        raise ValidationFailed(timezone=[Sentence("Must be an IANA time zone such as Europe/Lisbon.")])
    slug = slug or slugify(title)
    async with sql.transaction():
        await require_quota(owner_id, STORES.code)
        values = (owner_id, title, slug, store_type, currency, timezone, clock.now())
        store_id = await sql.fetch_value(INSERT_STORE, *values)
    if store_id is None:
        raise ValidationFailed(slug=[Sentence("The slug %(slug)s is already in use.", slug=slug)])
    return int(store_id)


async def delete_store(owner_id: int, store_id: int) -> None:
    """Delete a store in which nothing is and nothing was done, such as one that was created by mistake.

    Raises ``NotFound``, and ``Conflict`` with the reason ``in_use`` if other rows refer to the store.
    """
    async with sql.transaction(), check_references("The store"):
        if not await sql.execute("DELETE FROM core_store WHERE id = $1 AND owner_id = $2", store_id, owner_id):
            raise NotFound(f"The owner has no store {store_id}.")
        await record_action(
            owner_id, "account/store_delete", actor_kind=OPERATOR, actor_id=0, ids={"store_id": store_id}
        )


async def find_store(owner_id: int, store_id: int, *, is_locked: bool = False) -> Store | None:
    """Return a store of an owner, or None; locked, it stays as it is until the open transaction ends."""
    found = Store.select_for_update(no_key=True) if is_locked else Store.all()
    return await found.get_or_none(id=store_id, owner_id=owner_id)


async def find_store_of_owners(owner_ids: Iterable[int], store_id: int) -> Store | None:
    """Return a store if it belongs to one of the owners, or None."""
    return await Store.get_or_none(id=store_id, owner_id__in=list(owner_ids))


async def bump_menu_version(owner_id: int, store_id: int) -> None:
    """Make every process reload the store's terms and menu before its next order, once the open transaction commits.

    For anything besides the menu that orders depend on. It locks the store's row, so it comes last in a transaction.
    """
    await sql.execute(
        "UPDATE core_store SET menu_version = menu_version + 1 WHERE id = $1 AND owner_id = $2", store_id, owner_id
    )


async def set_template(owner_id: int, store_id: int, template: str) -> None:
    """Record the name of the theme in which a store's pages are shown. It locks the store's row."""
    await sql.execute(
        "UPDATE core_store SET template = $3 WHERE id = $1 AND owner_id = $2", store_id, owner_id, template
    )


def slugify(title: str) -> str:
    """Return the URL slug for a title."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:100] or "store"


async def _get_row(caller: Caller, store_id: int, columns: str) -> sql.Row:
    if not caller.reaches(store_id):
        raise NotFound
    statement = f"SELECT {columns} FROM core_store WHERE id = $1 AND owner_id = $2"
    return await sql.require_one(statement, store_id, caller.owner_id)


async def lock_store(caller: Caller, store_id: int) -> Store:
    """Return a store, locked until the open transaction ends. Raises ``NotFound`` like ``require_store``."""
    store = None
    if caller.reaches(store_id):
        # New rows that refer to the store do not wait for this, and on a cluster do not deadlock with it.
        store = await Store.select_for_update(no_key=True).get_or_none(id=store_id, owner_id=caller.owner_id)
    if store is None:
        raise NotFound
    return store


async def save_store(store: Store, changed: list[str]) -> None:
    """Save columns of a locked store, and make every process reload its menu."""
    if changed:
        # Prices, taxes and hours are part of the menu that processes cache.
        store.menu_version += 1
        await store.save(update_fields=[*changed, "menu_version"])
