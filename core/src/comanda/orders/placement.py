"""Places an order: first in the hope that all is as it was a moment ago, and with care where it is not.

The hopeful way prices from the menu that this process keeps and inserts on the condition that the menu still has that
version: one statement. Whatever stops it, be it a changed menu, a repeated key or a wrong body, goes the careful way,
which looks everything up in the order that the interface promises, and gives the answer.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import asyncpg

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.idempotency import IdempotentResult
from comanda.contracts.order_bodies import OrderBody
from comanda.db import sql
from comanda.errors import BadRequest, Conflict, NotFound, ValidationFailed
from comanda.menu import snapshot
from comanda.orders import queries
from comanda.orders.draft import Channel, Draft, Limits, draft_order
from comanda.orders.idempotency import Keys
from comanda.orders.insertion import MenuChanged, insert_order

NOTHING: Mapping[str, Any] = MappingProxyType({})
OWNER_CHANNEL = Channel("owner", "api", Limits(lines=200, quantity=999))


# The header wins where it and client_uuid belong to different orders. Each key is looked up by itself: with an OR the
# generic plan of a table without statistics reads every order of the store.
FIND = """
    SELECT s.menu_version, coalesce(
        (SELECT o.id FROM core_order o WHERE o.store_id = s.id AND o.owner_id = s.owner_id AND o.audience = $3
           AND coalesce(o.customer_id, 0) = $6 AND o.idempotency_key = $4),
        (SELECT o.id FROM core_order o WHERE o.store_id = s.id AND o.owner_id = s.owner_id AND o.audience = $3
           AND coalesce(o.customer_id, 0) = $6 AND o.client_uuid = $5)) AS replay_id
    FROM core_store s WHERE s.id = $1 AND s.owner_id = $2
"""

# What the statement raises when another request has the key: it is through, or still at work after the longest wait.
BEATEN = (asyncpg.UniqueViolationError, asyncpg.LockNotAvailableError, asyncpg.QueryCanceledError)


async def place_order(
    caller: Caller,
    channel: Channel,
    store_id: int,
    body: Unvalidated[OrderBody],
    keys: Keys,
    imposed: Mapping[str, Any] = NOTHING,
) -> IdempotentResult:
    """Place an order, or return the one that the same key placed before.

    ``imposed`` are fields of the body that are not the client's to say, such as a known customer's name.

    The order of checks is ownership, repeat, body, stock, price. Emits ``OrderCreated``, not for a repeat. Raises
    ``NotFound``, ``BadRequest``, ``ValidationFailed``; ``Conflict`` while a request with the same key is still at work.
    """
    return await _Placement(caller, channel, store_id, body, keys, imposed).place()


class _Placement:
    """One order on its way in."""

    def __init__(
        self,
        caller: Caller,
        channel: Channel,
        store_id: int,
        body: Unvalidated[OrderBody],
        keys: Keys,
        imposed: Mapping[str, Any],
    ) -> None:
        self._caller = caller
        self._channel = channel
        self._store_id = store_id
        self._body = body
        self._keys = keys = keys.bound_to_body(body.raw) if channel.is_anonymous else keys
        self._imposed = imposed
        self._identity = {
            "customer_id": caller.subject_id if caller.kind == "customer" else None,
            "source": channel.source,
            "audience": channel.audience,
            "idempotency_key": keys.header,
            "client_uuid": keys.client_uuid,
            "body_hash": keys.body_hash if keys else None,
        }

    async def place(self) -> IdempotentResult:
        try:
            return await self._hopefully() or await self._carefully()
        except (*BEATEN, ValidationFailed) as error:
            return await self._placed_by_another(error)

    async def _hopefully(self) -> IdempotentResult | None:
        """Insert if nothing stands against it; None says that something may."""
        menu = snapshot.get_cached_snapshot(self._store_id)
        if menu is None or menu.terms.owner_id != self._caller.owner_id or not self._caller.reaches(self._store_id):
            return None
        try:
            order = self._order()
            priced = self._draft(order, menu)
            if priced.needs_transaction:
                return None
            return IdempotentResult(await insert_order(menu, order, priced, self._identity, only_this_version=True))
        except (MenuChanged, BadRequest, ValidationFailed, asyncpg.UniqueViolationError):
            return None

    async def _carefully(self) -> IdempotentResult:
        version, replay = await self._find()
        if replay is not None:
            return replay
        order = self._order()
        menu = await snapshot.get_snapshot(self._store_id, version)
        priced = self._draft(order, menu)
        return IdempotentResult(await insert_order(menu, order, priced, self._identity, only_this_version=False))

    def _order(self) -> OrderBody:
        return self._body.validated().model_copy(update=self._imposed)

    def _draft(self, order: OrderBody, menu: snapshot.MenuSnapshot) -> Draft:
        return draft_order(order, menu, self._channel, self._caller)

    async def _placed_by_another(self, error: Exception) -> IdempotentResult:
        """Return what a request with the same key has placed meanwhile, or raise what stopped this one.

        Another may have won the race while this one was being priced, and have taken the last piece of what both want;
        or it is stuck, and this one has waited for it for as long as it may.
        """
        if not self._keys:
            raise error
        _, replay = await self._find()
        if replay is not None:
            return replay
        if isinstance(error, ValidationFailed):
            raise error
        raise Conflict("A request with the same key is still at work.", headers={"Retry-After": "1"}) from error

    async def _find(self) -> tuple[int, IdempotentResult | None]:
        """Find the version of the store's menu, and the order that these keys placed before."""
        owner_id, keys = self._caller.owner_id, self._keys
        customer_id = self._identity["customer_id"] or 0
        values = (self._store_id, owner_id, self._channel.audience, keys.header, keys.client_uuid, customer_id)
        store = await sql.fetch_one(FIND, *values) if self._caller.reaches(self._store_id) else None
        if store is None:
            raise NotFound
        if store["replay_id"] is None:
            return store["menu_version"], None
        record = await queries.get_order(owner_id, self._store_id, store["replay_id"])
        stored_hash = await queries.get_body_hash(owner_id, store["replay_id"])
        return store["menu_version"], IdempotentResult(
            record, is_replay=True, is_mismatch=stored_hash != keys.body_hash
        )
