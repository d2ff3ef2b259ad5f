"""The rewards of a store, as owners manage them."""

from typing import Final

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, money, rates, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.stores import bump_menu_version, require_store
from tortoise.queryset import QuerySet

from comanda_loyalty import models
from comanda_loyalty.models import RewardType
from comanda_loyalty.records import Reward
from comanda_loyalty.schemas import RewardBody

# Every process holds them in memory, and guests choose from a list.
MAX_REWARDS: Final = 30
TERMS: Final = ("name", "type", "value_ppm", "value_minor", "item_id", "points", "is_active")
LOCK_STORE: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
SELECT_ITEM: Final = "SELECT id FROM core_menu_item_v1 WHERE id = $1 AND owner_id = $2 AND store_id = $3"


async def list_rewards(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[Reward]:
    """List the rewards of a store, the cheapest first. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    rewards = _filter_rewards(caller, store_id)
    rows = await rewards.order_by("points", "id").offset(page.offset()).limit(page.size())
    total = await page.get_total(rows, rewards.count)
    return page.of([_to_reward(row, store["currency"]) for row in rows], total)


async def get_reward(caller: Caller, store_id: int, reward_id: int) -> Reward:
    """Return a reward. Raises ``NotFound``, also for a deleted one."""
    store = await require_store(caller, store_id)
    return _to_reward(await _get_row(caller, store_id, reward_id), store["currency"])


async def create_reward(caller: Caller, store_id: int, body: RewardBody) -> Reward:
    """Create a reward.

    Raises ``NotFound``; ``ValidationFailed`` for a value that does not fit the type, or an unknown item; ``Conflict``
    beyond ``MAX_REWARDS``.
    """
    store = await require_store(caller, store_id)
    row = models.Reward(owner_id=caller.owner_id, store_id=store_id, created_at=clock.now())
    await _set_terms(row, store, body)
    async with sql.transaction():
        await sql.execute(LOCK_STORE, f"loyalty:{store_id}")
        if await _filter_rewards(caller, store_id).count() >= MAX_REWARDS:
            raise Conflict(
                Sentence("A store can have at most %(limit)s rewards. Delete one first.", limit=MAX_REWARDS),
                extras={"limits": {"rewards": MAX_REWARDS}},
            )
        await row.save(force_create=True)
        await bump_menu_version(caller.owner_id, store_id)
    return _to_reward(row, store["currency"])


async def update_reward(caller: Caller, store_id: int, reward_id: int, body: RewardBody) -> Reward:
    """Replace a reward; orders that have it keep what it took off. Raises as ``create_reward``."""
    store = await require_store(caller, store_id)
    async with sql.transaction():
        row = await _get_row(caller, store_id, reward_id)
        await _set_terms(row, store, body)
        await row.save(update_fields=TERMS)
        await bump_menu_version(caller.owner_id, store_id)
    return _to_reward(row, store["currency"])


async def delete_reward(caller: Caller, store_id: int, reward_id: int) -> None:
    """Delete a reward; orders that have it keep what it took off. Raises ``NotFound``."""
    await require_store(caller, store_id)
    async with sql.transaction():
        row = await _get_row(caller, store_id, reward_id)
        row.deleted_at = clock.now()
        await row.save(update_fields=["deleted_at"])
        await bump_menu_version(caller.owner_id, store_id)


def to_value(type: RewardType, value_ppm: int | None, value_minor: int | None, currency: str) -> float | None:
    """Return the percentage or the amount of a reward, None for an item."""
    if type is RewardType.PERCENTAGE and value_ppm is not None:
        return rates.to_percent(value_ppm)
    return None if value_minor is None else float(money.to_number(value_minor, currency))


async def _set_terms(row: models.Reward, store: sql.Row, body: RewardBody) -> None:
    """Set what a reward is by its type. Raises ``ValidationFailed``."""
    row.name, row.type, row.points, row.is_active = body.name, body.type.value, body.points, body.is_active
    row.value_ppm = row.value_minor = row.item_id = None
    if body.type is RewardType.ITEM:
        if body.item_id is None or not await sql.fetch_value(SELECT_ITEM, body.item_id, row.owner_id, store["id"]):
            raise ValidationFailed(item_id=[Sentence("This store has no such item.")])
        row.item_id = body.item_id
        return
    if body.value is None:
        raise ValidationFailed(value=[Sentence("This field is required.")])
    if body.type is RewardType.PERCENTAGE and body.value > 100:
        raise ValidationFailed(value=[Sentence("A percentage must be 100 or less.")])
    try:
        if body.type is RewardType.PERCENTAGE:
            row.value_ppm = rates.to_ppm(body.value)
        else:
            row.value_minor = money.to_minor(body.value, store["currency"])
    except ValueError as error:
        raise ValidationFailed(value=[str(error)]) from error


def _filter_rewards(caller: Caller, store_id: int) -> QuerySet[models.Reward]:
    return models.Reward.filter(owner_id=caller.owner_id, store_id=store_id, deleted_at=None)


async def _get_row(caller: Caller, store_id: int, reward_id: int) -> models.Reward:
    return require_found(await _filter_rewards(caller, store_id).get_or_none(id=reward_id))


def _to_reward(row: models.Reward, currency: str) -> Reward:
    type = RewardType(row.type)
    return Reward(
        id=row.id,
        name=row.name,
        type=type,
        value=to_value(type, row.value_ppm, row.value_minor, currency),
        item_id=row.item_id,
        points=row.points,
        is_active=row.is_active,
        created_at=row.created_at,
    )
