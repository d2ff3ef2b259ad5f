"""Placement of orders: optimistically from the cached menu, otherwise with lookups.

The optimistic path prices the order from this process's cached menu and inserts it in one statement, on condition that
the menu still has that version. If anything prevents that (a changed menu, a used key, an invalid body), the path with
lookups runs the checks in the documented order and gives the answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import asyncpg

from comanda.basics.errors import BadRequest, NotFound, ValidationFailed
from comanda.contracts.orders.bodies import OrderBody
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Unvalidated
from comanda.contracts.requests.idempotency import IdempotentResult
from comanda.menu import snapshot
from comanda.orders import queries
from comanda.orders.drafts.draft import OrderChannel, OrderDraft, OrderLimits, draft_order, prepare_order
from comanda.orders.drafts.limits import MAX_LINES
from comanda.orders.idempotency import OrderKeys
from comanda.orders.intake.insertion import SERVED_BY, OrderOrigin, insert_order
from comanda.orders.intake.insertion_queue import MenuChanged
from comanda.orders.records import Order
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.db.idempotency import CREATION_ERRORS, find_concurrent

OWNER_CHANNEL = OrderChannel("owner", "api", OrderLimits(lines=MAX_LINES, quantity=999))


# The header has priority if it and client_uuid belong to different orders. Each key has its own subquery: with an OR,
# the generic plan of a table without statistics reads every order of the store.
SELECT_VERSION_AND_REPLAY = """
    SELECT s.menu_version, s.is_published, coalesce(
        (SELECT o.id FROM core_order o WHERE o.store_id = $1 AND o.owner_id = $2 AND o.audience = $3
           AND coalesce(o.customer_id, 0) = $6 AND o.idempotency_key = $4),
        (SELECT o.id FROM core_order o WHERE o.store_id = $1 AND o.owner_id = $2 AND o.audience = $3
           AND coalesce(o.customer_id, 0) = $6 AND o.client_uuid = $5)) AS replay_id
    FROM core_store s WHERE s.id = $1 AND s.owner_id = $2
"""


@dataclass(frozen=True, slots=True)
class PlaceOrder:
    """The command to place an order in a store.

    A body from a request is validated only when it is known not to be a repeat. ``overrides`` are fields of the body
    that the client cannot choose, such as a known customer's name.
    """

    channel: OrderChannel
    store_id: int
    body: OrderBody | Unvalidated[OrderBody]
    keys: OrderKeys
    overrides: Mapping[str, Any] = field(default_factory=dict)

    def validate_body(self) -> OrderBody:
        """Return the body with the overrides. Raises ``BadRequest`` and ``ValidationFailed``."""
        body = self.body if isinstance(self.body, OrderBody) else self.body.validated()
        return body.model_copy(update=self.overrides) if self.overrides else body

    def get_keys(self) -> OrderKeys:
        """Return the keys. Those of an anonymous request are bound to its body; who builds a body binds them."""
        if self.channel.is_anonymous and not isinstance(self.body, OrderBody):
            return self.keys.bind_to_body(self.body.get_bytes())
        return self.keys


async def place_order(caller: Caller, command: PlaceOrder) -> IdempotentResult[Order]:
    """Place an order, or return the one that the same key has placed.

    Checks run in the order ownership, replay, body, stock, price. Emits ``OrderCreated``, except for a replay. Raises
    ``NotFound``, ``BadRequest``, ``ValidationFailed``, and ``Conflict`` while a request with the same key is running.
    """
    return await _Placement(caller, command).place()


class _Placement:
    """The placement of one order."""

    def __init__(self, caller: Caller, command: PlaceOrder) -> None:
        channel = command.channel
        self._caller = caller
        self._command = command
        self._channel = channel
        self._store_id = command.store_id
        self._keys = keys = command.get_keys()
        self._origin = OrderOrigin(
            customer_id=caller.subject_id if _is_customer(caller) else None,
            source=channel.source,
            audience=channel.audience,
            idempotency_key=keys.header,
            client_uuid=keys.client_uuid,
            body_hash=keys.body_hash if keys else None,
            attributes={SERVED_BY: caller.actor} if channel.is_served else {},
        )
        self._order: OrderBody | None = None
        self._drafted: tuple[snapshot.MenuSnapshot, OrderDraft] | None = None

    async def place(self) -> IdempotentResult[Order]:
        try:
            return await self._place_optimistically() or await self._place_with_lookup()
        except CREATION_ERRORS as error:
            return await find_concurrent(error, bool(self._keys), self._find_replay)

    async def _place_optimistically(self) -> IdempotentResult[Order] | None:
        """Insert from the cached menu; return None to fall back to the path with lookups."""
        menu = snapshot.get_cached_snapshot(self._store_id)
        if menu is None or menu.terms.owner_id != self._caller.owner_id or not self._caller.reaches(self._store_id):
            return None
        if self._channel.is_anonymous and not menu.terms.is_published:
            return None
        try:
            order = self._get_order()
            priced = await self._draft_order(order, menu)
            # What an earlier order with this key has reserved would stand against it.
            if priced.problems or priced.fault is not None or priced.reserves:
                return None
            return IdempotentResult(await insert_order(menu, order, priced, self._origin, only_this_version=True))
        except (MenuChanged, BadRequest, ValidationFailed, asyncpg.UniqueViolationError):
            return None

    async def _place_with_lookup(self) -> IdempotentResult[Order]:
        version, replay = await self._get_version_and_replay()
        if replay is not None:
            return replay
        order = self._get_order()
        menu = await snapshot.get_snapshot(self._store_id, version)
        priced = await self._draft_order(order, menu)
        priced.require_valid()
        return IdempotentResult(await insert_order(menu, order, priced, self._origin, only_this_version=False))

    def _get_order(self) -> OrderBody:
        """Return the body, validated once for both paths."""
        if self._order is None:
            self._order = self._command.validate_body()
        return self._order

    async def _draft_order(self, order: OrderBody, menu: snapshot.MenuSnapshot) -> OrderDraft:
        """Return the draft for a menu. The path with lookups uses that of the first one if the menu is the same."""
        if self._drafted is None or self._drafted[0] is not menu:
            prepared = await prepare_order(order, menu, self._caller)
            self._drafted = (menu, draft_order(order, menu, self._channel, self._caller, prepared=prepared))
        return self._drafted[1]

    async def _find_replay(self) -> IdempotentResult[Order] | None:
        """Return the order that these keys have placed, if any."""
        return (await self._get_version_and_replay())[1]

    async def _get_version_and_replay(self) -> tuple[int, IdempotentResult[Order] | None]:
        """Return the version of the store's menu, and the order that these keys have placed, if any."""
        owner_id, keys = self._caller.owner_id, self._keys
        customer_id = self._origin.customer_id or 0
        values = (self._store_id, owner_id, self._channel.audience, keys.header, keys.client_uuid, customer_id)
        store = (
            await sql.fetch_one(SELECT_VERSION_AND_REPLAY, *values) if self._caller.reaches(self._store_id) else None
        )
        if store is None or (self._channel.is_anonymous and not store["is_published"]):
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
