"""Turns of orders whose participants have steps in the transaction: what hangs there leaves connections for others."""

import asyncio
from collections.abc import AsyncIterator, Hashable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

from comanda.basics.errors import Unavailable
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.participants import StoreParticipant, StoreTerms
from comanda.platform import runtime

# How long an order waits for those before it, which hold a connection for milliseconds.
MAX_WAIT_SECONDS: Final = 1.0

_turns: WeakValueDictionary[Hashable, asyncio.Semaphore] = WeakValueDictionary()


@asynccontextmanager
async def take(terms: StoreTerms, parts: Sequence[StoreParticipant]) -> AsyncIterator[None]:
    """Hold a turn of the store, its owner and each plugin that has a step, while the block runs.

    A store has a quarter of the connections of this process, an owner and a plugin half of them. Raises
    ``Unavailable`` if others do not make room.
    """
    plugins = sorted({part.plugin for part in parts if part.participant.writes})
    if not plugins:
        yield
        return
    size = runtime.settings().pool_size
    limits: dict[Hashable, int] = {("store", terms.id): size // 4, ("owner", terms.owner_id): size // 2}
    limits |= {("plugin", plugin): size // 2 for plugin in plugins}
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                for key, limit in limits.items():
                    # Kept by those who hold or await a turn, and forgotten after them.
                    turns = _turns.setdefault(key, asyncio.Semaphore(max(1, limit)))
                    await stack.enter_async_context(turns)
        except TimeoutError:
            raise Unavailable(
                Sentence("Too many orders are being placed here at once. Try again shortly."), retry_after_seconds=1
            ) from None
        yield
