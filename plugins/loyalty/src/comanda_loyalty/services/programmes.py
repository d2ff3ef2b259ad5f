"""The programme of a store, and what is known of it in memory while orders are placed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from comanda.basics import Money, ValidationFailed, clock, money
from comanda.contracts import Caller, StoreTerms
from comanda.platform.db import sql
from comanda.stores import bump_menu_version, require_store

from comanda_loyalty.models import EarnBy, RewardType
from comanda_loyalty.records import Programme
from comanda_loyalty.schemas import ProgrammeBody

PARTICIPANT_NAME: Final = "loyalty"
SELECT_PROGRAMME: Final = """
    SELECT store_id, is_on, earn_by, points, min_order_minor, expires_after_months FROM loyalty_programme
    WHERE store_id = $1 AND owner_id = $2
"""
UPSERT_PROGRAMME: Final = """
    INSERT INTO loyalty_programme
        (store_id, owner_id, is_on, earn_by, points, min_order_minor, expires_after_months, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET is_on = EXCLUDED.is_on, earn_by = EXCLUDED.earn_by,
        points = EXCLUDED.points, min_order_minor = EXCLUDED.min_order_minor,
        expires_after_months = EXCLUDED.expires_after_months, updated_at = EXCLUDED.updated_at
"""
# Open checks keep a reward for as long as they may last, even if it is deleted meanwhile.
SELECT_REWARDS: Final = """
    SELECT id, name, type, value_ppm, value_minor, item_id, points, is_active AND deleted_at IS NULL AS is_active
    FROM loyalty_reward
    WHERE store_id = $1 AND owner_id = $2 AND (deleted_at IS NULL OR deleted_at > now() - interval '2 days')
    ORDER BY points, id
"""


@dataclass(frozen=True, slots=True)
class LoadedReward:
    """A reward as loaded for pricing orders, with the fields of the table."""

    id: int
    name: str
    type: RewardType
    value_ppm: int | None
    value_minor: int | None
    item_id: int | None
    points: int
    is_active: bool


@dataclass(frozen=True, slots=True)
class LoadedProgramme:
    """The rewards of a store by id, and whether its programme is on."""

    is_on: bool
    rewards: Mapping[int, LoadedReward]


async def get_programme(caller: Caller, store_id: int) -> Programme:
    """Return the programme of a store, which is off until its owner changes it. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    found = await find_programme(caller.owner_id, store_id, store["currency"])
    return found or Programme(store_id, False, EarnBy.AMOUNT, 1, None, None)


async def find_programme(owner_id: int, store_id: int, currency: str) -> Programme | None:
    """Return the programme of a store, if it has ever had one."""
    row = await sql.fetch_one(SELECT_PROGRAMME, store_id, owner_id)
    if row is None:
        return None
    min_order = None if row["min_order_minor"] is None else Money(row["min_order_minor"], currency)
    earn_by = EarnBy(row["earn_by"])
    return Programme(store_id, row["is_on"], earn_by, row["points"], min_order, row["expires_after_months"])


async def update_programme(caller: Caller, store_id: int, body: ProgrammeBody) -> Programme:
    """Replace the programme of a store; points that customers have stay.

    Raises ``NotFound``; ``ValidationFailed`` for an amount that the store's currency does not have.
    """
    store = await require_store(caller, store_id)
    try:
        min_order_minor = None if body.min_order is None else money.to_minor(body.min_order, store["currency"])
    except ValueError as error:
        raise ValidationFailed(min_order=[str(error)]) from error
    columns = (body.is_on, body.earn_by.value, body.points, min_order_minor, body.expires_after_months)
    async with sql.transaction():
        await sql.execute(UPSERT_PROGRAMME, store_id, caller.owner_id, *columns, clock.now())
        await bump_menu_version(caller.owner_id, store_id)
    return await get_programme(caller, store_id)


async def load_programme(terms: StoreTerms) -> LoadedProgramme | None:
    """Return the programme and the rewards of a store, None if it has never had any; kept with its menu."""
    row = await sql.fetch_one(SELECT_PROGRAMME, terms.id, terms.owner_id)
    if row is None:
        return None
    rewards = await load_rewards(terms.owner_id, terms.id)
    return LoadedProgramme(row["is_on"], {each.id: each for each in rewards})


async def load_rewards(owner_id: int, store_id: int) -> list[LoadedReward]:
    """Return the rewards of a store, the cheapest first, also those that are not offered any more."""
    rows = await sql.fetch(SELECT_REWARDS, store_id, owner_id)
    return [LoadedReward(**{**dict(row), "type": RewardType(row["type"])}) for row in rows]
