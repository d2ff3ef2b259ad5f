"""Customer displays on other devices: connect, show, disconnect. Its address is the only key to one."""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import orjson
import segno
from comanda.basics import Conflict, NotFound, Sentence, add_owner_prefix, clock, parse_owner_prefix
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.http import LiveMessage, Watch
from comanda.platform.tasks import notifier
from tortoise.queryset import QuerySet

from comanda_till import models
from comanda_till.records import CustomerDisplay, IssuedDisplay
from comanda_till.schemas import ShownCheckBody

MAX_DISPLAYS: Final = 50
# Devices that show the same display.
MAX_DEVICES: Final = 10
CODE_BYTES: Final = 24
CODE_LENGTH: Final = 32
MAX_CODE_LENGTH: Final = 60
PATH: Final = "/till/display/"
LOCK_STORE: Final = "SELECT id FROM core_store_v1 WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"
UPDATE_SHOWN: Final = """
    UPDATE till_display SET shown = $4 WHERE id = $1 AND owner_id = $2 AND store_id = $3 RETURNING id
"""
SELECT_BY_CODE: Final = """
    SELECT d.id, d.owner_id, d.store_id FROM till_display d JOIN core_owner_v1 o ON o.id = d.owner_id
    WHERE d.owner_id = $1 AND d.code_hash = $2 AND NOT o.is_suspended
"""
SELECT_SHOWN: Final = """
    SELECT d.id, d.owner_id, d.shown FROM unnest($1::bigint[], $2::bigint[]) AS watched (id, owner_id)
    JOIN till_display d ON d.id = watched.id AND d.owner_id = watched.owner_id
"""


@dataclass(frozen=True, slots=True)
class DisplayKey:
    """A display of an owner."""

    owner_id: int
    display_id: int


@dataclass(frozen=True, slots=True)
class OpenDisplay:
    """A display whose address was opened."""

    key: DisplayKey
    store_id: int


async def list_displays(caller: Caller, page: PageRequest) -> RecordPage[CustomerDisplay]:
    """List the displays of the caller's store, newest first."""
    owned = _query_displays(caller)
    rows = await owned.order_by("-id").offset(page.offset()).limit(page.size())
    found = [CustomerDisplay(row.id, row.created_by, row.created_at) for row in rows]
    return page.of(found, await page.get_total(rows, owned.count))


async def create_display(caller: Caller) -> IssuedDisplay:
    """Connect a display to a till of the caller's store. Raises ``Conflict`` beyond ``MAX_DISPLAYS``."""
    code = add_owner_prefix(caller.owner_id, secrets.token_urlsafe(CODE_BYTES))
    async with sql.transaction():
        await sql.execute(LOCK_STORE, caller.known_store_id, caller.owner_id)
        if await _query_displays(caller).count() >= MAX_DISPLAYS:
            raise Conflict(
                Sentence("A store has at most %(limit)s customer displays. Disconnect one first.", limit=MAX_DISPLAYS),
                extras={"limits": {"displays": MAX_DISPLAYS}},
            )
        row = await models.Display.create(
            owner_id=caller.owner_id,
            store_id=caller.known_store_id,
            code_hash=_hash_code(code),
            created_by=caller.actor,
            created_at=clock.now(),
        )
    url = f"{runtime.settings().site_url}{PATH}{code}"
    qr_code: str = segno.make_qr(url, error="m").svg_data_uri(scale=6, border=4, light="#fff")
    return IssuedDisplay(row.id, row.created_by, row.created_at, url, qr_code)


async def show_check(caller: Caller, display_id: int, body: ShownCheckBody) -> None:
    """Show a check on a display of the caller's store. Raises ``NotFound`` for one that was disconnected."""
    async with sql.transaction():
        shown = body.model_dump_json()
        if await sql.fetch_value(UPDATE_SHOWN, display_id, caller.owner_id, caller.known_store_id, shown) is None:
            raise NotFound
        notifier.announce_change(caller.known_store_id)


async def delete_display(caller: Caller, display_id: int) -> None:
    """Disconnect a display of the caller's store. Raises ``NotFound``."""
    async with sql.transaction():
        if not await _query_displays(caller).filter(id=display_id).delete():
            raise NotFound
        notifier.announce_change(caller.known_store_id)


async def find_display(code: str) -> OpenDisplay:
    """Return the display with a code. Raises ``NotFound``, also while its owner is suspended."""
    owner_id = parse_owner_prefix(code, CODE_LENGTH) if len(code) <= MAX_CODE_LENGTH and code.isascii() else None
    row = None if owner_id is None else await sql.fetch_one(SELECT_BY_CODE, owner_id, _hash_code(code))
    if row is None:
        raise NotFound
    return OpenDisplay(DisplayKey(row["owner_id"], row["id"]), row["store_id"])


async def render(state: object) -> LiveMessage:
    """Return what a display shows as a message; the last one once it is disconnected."""
    if not isinstance(state, str):
        return LiveMessage("disconnected", {}, is_last=True)
    return LiveMessage("check", orjson.loads(state))


async def _load_states(keys: list[DisplayKey]) -> Mapping[DisplayKey, object]:
    rows = await sql.fetch(SELECT_SHOWN, [key.display_id for key in keys], [key.owner_id for key in keys])
    return {DisplayKey(row["owner_id"], row["id"]): row["shown"] or NOTHING_SHOWN for row in rows}


NOTHING_SHOWN: Final = ShownCheckBody().model_dump_json()
watch: Final = Watch("customer_display", _load_states, max_watchers_of_one=MAX_DEVICES)


def _query_displays(caller: Caller) -> QuerySet[models.Display]:
    return models.Display.filter(owner_id=caller.owner_id, store_id=caller.known_store_id)


def _hash_code(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()
