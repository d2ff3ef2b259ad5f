"""Guests of a store as its owner lists, tags and names them."""

from datetime import date
from zoneinfo import ZoneInfo

from comanda.basics import Money, clock, money, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import read_from_replica, sql
from comanda.stores import get_day

from comanda_customers.models import Guest
from comanda_customers.records.guests import GuestProfile, SegmentTotals
from comanda_customers.schemas.guests import GuestChange, GuestQuery
from comanda_customers.services.guest_list.index import find_candidates
from comanda_customers.services.guest_list.search import extract_phone_digits, normalize_text
from comanda_customers.services.guest_list.segments import SEGMENT_CASE, SEGMENT_LABELS, VIP_THRESHOLD, Segment

SELECT_STORE = "SELECT id, currency, timezone, day_start_minutes FROM core_store_v1 WHERE id = $1 AND owner_id = $2"

# The search text is matched literally, without wildcards.
MATCHING_GUEST = f"""
    SELECT g.id, coalesce(g.own_name, g.name) AS name, g.phone, g.email, g.visits, g.orders, g.total_spent_minor,
        g.first_seen_at, g.last_seen_at, g.tags, {SEGMENT_CASE} AS segment
    FROM customers_guest g, bar
    WHERE g.store_id = $1 AND g.owner_id = $2 AND g.orders > 0
        AND ($4 = '' OR strpos(g.search, $4) > 0 OR strpos(g.email, $4) > 0 OR $5 <> '' AND strpos(g.phone, $5) > 0)
"""
WITH_MATCHING_GUESTS = f"WITH {VIP_THRESHOLD}, guest AS ({MATCHING_GUEST} AND $7::bigint[] IS NULL)"
# Of its own text, so that its plan always begins with the candidates.
WITH_MATCHING_CANDIDATES = f"WITH {VIP_THRESHOLD}, guest AS ({MATCHING_GUEST} AND g.id = ANY($7::bigint[]))"
GUESTS_OF_SEGMENT = "FROM guest WHERE ($6::text IS NULL OR segment = $6)"
PAGE_OF_SEGMENT = f"SELECT * {GUESTS_OF_SEGMENT} ORDER BY last_seen_at DESC, id DESC LIMIT $8 OFFSET $9"
SELECT_GUESTS = f"{WITH_MATCHING_GUESTS} {PAGE_OF_SEGMENT}"
COUNT_GUESTS = f"{WITH_MATCHING_GUESTS} SELECT count(*) {GUESTS_OF_SEGMENT}"
SELECT_CANDIDATE_GUESTS = f"{WITH_MATCHING_CANDIDATES} {PAGE_OF_SEGMENT}"
COUNT_CANDIDATE_GUESTS = f"{WITH_MATCHING_CANDIDATES} SELECT count(*) {GUESTS_OF_SEGMENT}"
GUEST_COLUMNS = f"""g.id, coalesce(g.own_name, g.name) AS name, g.phone, g.email, g.visits, g.orders,
    g.total_spent_minor, g.first_seen_at, g.last_seen_at, g.tags, {SEGMENT_CASE} AS segment"""
# Guests before the page are read from an index alone, from the nearer end of the list.
SELECT_PAGE_OF_ALL = f"""
    WITH {VIP_THRESHOLD}
    SELECT {GUEST_COLUMNS} FROM customers_guest g, bar
    WHERE g.store_id = $1 AND g.owner_id = $2 AND g.id = ANY(ARRAY(
        SELECT id FROM customers_guest WHERE store_id = $1 AND owner_id = $2 AND orders > 0
        ORDER BY last_seen_at {{direction}}, id {{direction}} LIMIT $4 OFFSET $5))
    ORDER BY g.last_seen_at DESC, g.id DESC
"""
SELECT_PAGE_FROM_NEWEST = SELECT_PAGE_OF_ALL.format(direction="DESC")
SELECT_PAGE_FROM_OLDEST = SELECT_PAGE_OF_ALL.format(direction="ASC")
COUNT_ALL_GUESTS = "SELECT coalesce(sum(guests), 0) FROM customers_guest_count WHERE store_id = $1 AND owner_id = $2"
SELECT_GUEST = f"""
    WITH {VIP_THRESHOLD}
    SELECT {GUEST_COLUMNS}
    FROM customers_guest g, bar WHERE g.store_id = $1 AND g.owner_id = $2 AND g.orders > 0 AND g.id = $4
"""
SELECT_SEGMENT_TOTALS = f"""
    WITH {VIP_THRESHOLD}
    SELECT segment, count(*) AS count, sum(total_spent_minor) AS total_spent_minor
    FROM (SELECT g.total_spent_minor, {SEGMENT_CASE} AS segment
          FROM customers_guest g, bar WHERE g.store_id = $1 AND g.owner_id = $2 AND g.orders > 0) AS guest
    WHERE segment IS NOT NULL GROUP BY segment
"""


@read_from_replica
async def list_guests(caller: Caller, store_id: int, query: GuestQuery, page: PageRequest) -> RecordPage[GuestProfile]:
    """List a store's guests, latest visit first. Raises ``NotFound`` for another owner's store."""
    store = await _get_store(caller, store_id)
    if not query.search and query.segment is None:
        rows, total = await _read_page_of_all(caller.owner_id, store, page)
        return page.of([_to_profile(row, store["currency"]) for row in rows], total)
    text, digits = normalize_text(query.search), extract_phone_digits(query.search)
    candidates = await find_candidates(caller.owner_id, store_id, text, digits)
    filters = (store_id, caller.owner_id, _get_today(store), text, digits, query.segment, candidates)
    select, count = (SELECT_GUESTS, COUNT_GUESTS)
    if candidates is not None:
        select, count = (SELECT_CANDIDATE_GUESTS, COUNT_CANDIDATE_GUESTS)
    rows = await sql.fetch(select, *filters, page.size(), page.offset())
    total = await sql.fetch_value(count, *filters)
    return page.of([_to_profile(row, store["currency"]) for row in rows], total)


@read_from_replica
async def list_segments(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[SegmentTotals]:
    """List all segments with their number of guests and total spent, including empty ones. Raises ``NotFound``."""
    store = await _get_store(caller, store_id)
    rows = {
        row["segment"]: row
        for row in await sql.fetch(SELECT_SEGMENT_TOTALS, store_id, caller.owner_id, _get_today(store))
    }
    segments = [_to_segment_totals(key, rows.get(key), store["currency"]) for key in Segment]
    return page.of(segments[page.offset() : page.offset() + page.size()], len(segments))


async def get_guest(caller: Caller, store_id: int, guest_id: int) -> GuestProfile:
    """Return a guest. Raises ``NotFound``, also if all their orders were cancelled."""
    store = await _get_store(caller, store_id)
    row = await sql.require_one(SELECT_GUEST, store_id, caller.owner_id, _get_today(store), guest_id)
    return _to_profile(row, store["currency"])


async def update_guest(caller: Caller, store_id: int, guest_id: int, change: GuestChange) -> GuestProfile:
    """Update a guest's tags and the owner's name for them, which overrides that of the orders. Raises ``NotFound``."""
    await _get_store(caller, store_id)
    async with sql.transaction():
        # A concurrent order event may change the guest's name and search text.
        mine = Guest.select_for_update(no_key=True).filter(owner_id=caller.owner_id, store_id=store_id, orders__gt=0)
        found = require_found(await mine.get_or_none(id=guest_id))
        if change.tags is not None:
            found.tags = change.tags
        if "name" in change.model_fields_set:
            found.own_name = change.name
            found.search = normalize_text(change.name or found.name or "")
        await found.save(update_fields=["tags", "own_name", "search"])
    return await get_guest(caller, store_id, guest_id)


async def _read_page_of_all(owner_id: int, store: sql.Row, page: PageRequest) -> tuple[list[sql.Row], int]:
    total = int(await sql.fetch_value(COUNT_ALL_GUESTS, store["id"], owner_id))
    size, offset = page.size(), page.offset()
    if offset >= total:
        return [], total
    size = min(size, total - offset)
    skipped_from_oldest = total - offset - size
    is_from_oldest = skipped_from_oldest < offset
    statement = SELECT_PAGE_FROM_OLDEST if is_from_oldest else SELECT_PAGE_FROM_NEWEST
    skipped = skipped_from_oldest if is_from_oldest else offset
    return await sql.fetch(statement, store["id"], owner_id, _get_today(store), size, skipped), total


async def _get_store(caller: Caller, store_id: int) -> sql.Row:
    reaches = caller.store_id in (None, store_id)
    return require_found(await sql.fetch_one(SELECT_STORE, store_id, caller.owner_id) if reaches else None)


def _get_today(store: sql.Row) -> date:
    return get_day(clock.now(), ZoneInfo(store["timezone"]), store["day_start_minutes"])


def _to_profile(row: sql.Row, currency: str) -> GuestProfile:
    spent_minor, orders = row["total_spent_minor"], row["orders"]
    return sql.to_record(
        GuestProfile,
        row,
        orders=orders,
        total_spent=Money(spent_minor, currency),
        avg_order=Money(money.round_half_up(spent_minor, orders), currency),
        segment=None if row["segment"] is None else Segment(row["segment"]),
    )


def _to_segment_totals(key: Segment, row: sql.Row | None, currency: str) -> SegmentTotals:
    """Return the totals of a segment; one without a row has no guests."""
    count, spent_minor = (0, 0) if row is None else (row["count"], int(row["total_spent_minor"]))
    return SegmentTotals(key, SEGMENT_LABELS[key], count, Money(spent_minor, currency))
