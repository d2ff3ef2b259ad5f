"""The points of customers, as they and their store read them, and as the store corrects them."""

from comanda.basics import NotFound, Sentence, ValidationFailed, clock
from comanda.contracts import Caller, IdempotencyKey, IdempotentResult
from comanda.platform.db import sql
from comanda.stores import require_store
from comanda_customers import api as customers

from comanda_loyalty.models import LoyaltyEntryKind
from comanda_loyalty.records import LoyaltyAccount, OfferedReward, OwnPoints, Programme
from comanda_loyalty.schemas import PointsBody
from comanda_loyalty.services import ledger, programmes, rewards
from comanda_loyalty.services.ledger import ENTRY_KEYS, NewEntry
from comanda_loyalty.services.programmes import LoadedReward


async def get_account(caller: Caller, store_id: int, customer_id: int) -> LoyaltyAccount:
    """Return a customer's points with the newest entries, 0 before the first one. Raises ``NotFound``."""
    await require_store(caller, store_id)
    await _require_customer(caller, store_id, customer_id)
    return await _load_account(caller.owner_id, store_id, customer_id)


async def adjust_points(
    caller: Caller, store_id: int, customer_id: int, body: PointsBody, key: IdempotencyKey
) -> IdempotentResult[LoyaltyAccount]:
    """Add points to a customer's balance, or deduct them, once for a ``key``. Emits ``LoyaltyChanged``.

    Raises ``NotFound``; ``ValidationFailed`` for no points, or if the balance would be negative.
    """
    await require_store(caller, store_id)
    await _require_customer(caller, store_id, customer_id)
    if body.points == 0:
        raise ValidationFailed(points=[Sentence("Must not be 0.")])
    account_id = (await ledger.open_account(caller.owner_id, store_id, customer_id)).id

    async def create() -> int:
        async with sql.transaction():
            account = await ledger.lock_account(caller.owner_id, account_id)
            if body.points < 0 and account.balance + body.points < 0:
                raise ValidationFailed(points=[Sentence("The customer's balance is too low.")])
            entry = NewEntry(
                kind=LoyaltyEntryKind.ADJUST,
                points=body.points,
                actor=caller.actor,
                note=body.reason,
                earned_at=clock.now() if body.points > 0 else None,
                key=key,
            )
            await ledger.write_entry(account, entry)
        return account_id

    async def load(_: int) -> LoyaltyAccount:
        return await _load_account(caller.owner_id, store_id, customer_id)

    return await ENTRY_KEYS.create_once(caller.owner_id, account_id, key, create, load)


async def get_own_points(caller: Caller) -> OwnPoints:
    """Return the points of the calling customer, and the rewards of their store. Raises ``NotFound``."""
    store_id = caller.known_store_id
    store = await require_store(caller, store_id)
    account = await _load_account(caller.owner_id, store_id, caller.known_subject_id)
    programme, offered = await get_offers(caller.owner_id, store_id, store["currency"], account.balance)
    return OwnPoints(balance=account.balance, programme=programme, rewards=offered, entries=account.entries)


async def get_offers(
    owner_id: int, store_id: int, currency: str, balance: int
) -> tuple[Programme | None, list[OfferedReward]]:
    """Return the programme of a store and its rewards, as offered for a balance; nothing of both while it is off."""
    programme = await programmes.find_programme(owner_id, store_id, currency)
    if programme is None or not programme.is_on:
        return None, []
    found = await programmes.load_rewards(owner_id, store_id)
    return programme, [_offer(each, balance, currency) for each in found if each.is_active]


async def _load_account(owner_id: int, store_id: int, customer_id: int) -> LoyaltyAccount:
    account = await ledger.find_account(owner_id, store_id, customer_id)
    if account is None:
        return LoyaltyAccount(customer_id, 0, [])
    return LoyaltyAccount(customer_id, account.balance, await ledger.list_entries(account))


async def _require_customer(caller: Caller, store_id: int, customer_id: int) -> None:
    if not await customers.is_customer(caller.owner_id, store_id, customer_id):
        raise NotFound


def _offer(reward: LoadedReward, balance: int, currency: str) -> OfferedReward:
    return OfferedReward(
        id=reward.id,
        name=reward.name,
        type=reward.type,
        value=rewards.to_value(reward.type, reward.value_ppm, reward.value_minor, currency),
        item_id=reward.item_id,
        points=reward.points,
        is_affordable=balance >= reward.points,
    )
