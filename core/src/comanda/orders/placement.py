"""Placement of orders: optimistically from the cached menu, otherwise with lookups.

The optimistic path prices the order from this process's cached menu and inserts it in one statement, on condition that
the menu still has that version. If anything prevents that (a changed menu, a used key, an invalid body), the path with
lookups runs the checks in the documented order and gives the answer.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import asyncpg

from comanda import runtime
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.idempotency import IdempotentResult
from comanda.contracts.order_bodies import OrderBody
from comanda.db import sql
from comanda.errors import BadRequest, Conflict, NotFound, ValidationFailed
from comanda.menu import snapshot
from comanda.orders import queries
from comanda.orders.draft import OrderChannel, OrderDraft, OrderLimits, draft_order
from comanda.orders.idempotency import OrderKeys
from comanda.orders.insertion import MenuChanged, insert_order

NO_FIELDS: Mapping[str, Any] = MappingProxyType({})
OWNER_CHANNEL = OrderChannel("owner", "api", OrderLimits(lines=200, quantity=999))


# The header has priority if it and client_uuid belong to different orders. Each key has its own subquery: with an OR,
# the generic plan of a table without statistics reads every order of the store.
SELECT_VERSION_AND_REPLAY = """
    SELECT s.menu_version, coalesce(
        (SELECT o.id FROM core_order o WHERE o.store_id = s.id AND o.owner_id = s.owner_id AND o.audience = $3
           AND coalesce(o.customer_id, 0) = $6 AND o.idempotency_key = $4),
        (SELECT o.id FROM core_order o WHERE o.store_id = s.id AND o.owner_id = s.owner_id AND o.audience = $3
           AND coalesce(o.customer_id, 0) = $6 AND o.client_uuid = $5)) AS replay_id
    FROM core_store s WHERE s.id = $1 AND s.owner_id = $2
"""

# Raised if another request with the same key has finished, or is still running after the longest wait.
KEY_CONFLICT_ERRORS = (asyncpg.UniqueViolationError, asyncpg.LockNotAvailableError, asyncpg.QueryCanceledError)


async def place_order(
    caller: Caller,
    channel: OrderChannel,
    store_id: int,
    body: Unvalidated[OrderBody],
    keys: OrderKeys,
    overrides: Mapping[str, Any] = NO_FIELDS,
) -> IdempotentResult:
    """Place an order, or return the one that the same key has placed.

    ``overrides`` are fields of the body that the client cannot choose, such as a known customer's name.

    Checks run in the order ownership, replay, body, stock, price. Emits ``OrderCreated``, except for a replay. Raises
    ``NotFound``, ``BadRequest``, ``ValidationFailed``, and ``Conflict`` while a request with the same key is running.
    """
    return await _Placement(caller, channel, store_id, body, keys, overrides).place()


class _Placement:
    """The placement of one order."""

    def __init__(
        self,
        caller: Caller,
        channel: OrderChannel,
        store_id: int,
        body: Unvalidated[OrderBody],
        keys: OrderKeys,
        overrides: Mapping[str, Any],
    ) -> None:
        self._caller = caller
        self._channel = channel
        self._store_id = store_id
        self._body = body
        self._keys = keys = keys.bind_to_body(body.raw) if channel.is_anonymous else keys
        self._overrides = overrides
        self._identity = {
            "customer_id": caller.subject_id if _is_customer(caller) else None,
            "source": channel.source,
            "audience": channel.audience,
            "idempotency_key": keys.header,
            "client_uuid": keys.client_uuid,
            "body_hash": keys.body_hash if keys else None,
        }

    async def place(self) -> IdempotentResult:
        try:
            return await self._place_optimistically() or await self._place_with_lookup()
        except (*KEY_CONFLICT_ERRORS, ValidationFailed) as error:
            return await self._get_concurrent_replay(error)

    async def _place_optimistically(self) -> IdempotentResult | None:
        """Insert from the cached menu; return None to fall back to the path with lookups."""
        menu = snapshot.get_cached_snapshot(self._store_id)
        if menu is None or menu.terms.owner_id != self._caller.owner_id or not self._caller.reaches(self._store_id):
            return None
        try:
            order = self._validate_body()
            priced = self._draft_order(order, menu)
            if priced.needs_transaction:
                return None
            return IdempotentResult(await insert_order(menu, order, priced, self._identity, only_this_version=True))
        except (MenuChanged, BadRequest, ValidationFailed, asyncpg.UniqueViolationError):
            return None

    async def _place_with_lookup(self) -> IdempotentResult:
        version, replay = await self._find_replay()
        if replay is not None:
            return replay
        order = self._validate_body()
        menu = await snapshot.get_snapshot(self._store_id, version)
        priced = self._draft_order(order, menu)
        return IdempotentResult(await insert_order(menu, order, priced, self._identity, only_this_version=False))

    def _validate_body(self) -> OrderBody:
        return self._body.validated().model_copy(update=self._overrides)

    def _draft_order(self, order: OrderBody, menu: snapshot.MenuSnapshot) -> OrderDraft:
        return draft_order(order, menu, self._channel, self._caller)

    async def _get_concurrent_replay(self, error: Exception) -> IdempotentResult:
        """Return the order that a concurrent request with the same key has placed, or raise the error of this one.

        The other request may have finished while this one was being priced, and have taken the last of the stock; or it
        is still running after this one has waited as long as it can.
        """
        if not self._keys:
            raise error
        _, replay = await self._find_replay()
        if replay is not None:
            return replay
        if isinstance(error, ValidationFailed):
            raise error
        raise Conflict(
            "A request with this idempotency key is still in progress.", headers={"Retry-After": "1"}
        ) from error

    async def _find_replay(self) -> tuple[int, IdempotentResult | None]:
        """Return the version of the store's menu, and the order that these keys have placed, if any."""
        owner_id, keys = self._caller.owner_id, self._keys
        customer_id = self._identity["customer_id"] or 0
        values = (self._store_id, owner_id, self._channel.audience, keys.header, keys.client_uuid, customer_id)
        store = (
            await sql.fetch_one(SELECT_VERSION_AND_REPLAY, *values) if self._caller.reaches(self._store_id) else None
        )
        if store is None:
            raise NotFound
        if store["replay_id"] is None:
            return store["menu_version"], None
        record = await queries.get_order(owner_id, self._store_id, store["replay_id"])
        stored_hash = await queries.get_body_hash(owner_id, store["replay_id"])
        return store["menu_version"], IdempotentResult(
            record, is_replay=True, is_mismatch=stored_hash != keys.body_hash
        )


def _is_customer(caller: Caller) -> bool:
    kind = runtime.registry().caller_kinds.get(caller.kind)
    return kind is not None and kind.is_customer
