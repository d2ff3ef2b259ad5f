"""Answers to agents: stored by idempotency key for a day, and given again to a repeat."""

from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from typing import Final

from comanda.contracts import Answer, Call
from comanda.platform.http import answer_once

from comanda_ucp.errors import KeyReused
from comanda_ucp.routes.protocol import check_agent
from comanda_ucp.services.stores import UcpStore

CREATED: Final = 201
OK: Final = 200
MISMATCH: Final = "Idempotency-Mismatch"


async def answer_agent(
    call: Call, store: UcpStore, operation: str, run: Callable[[], Awaitable[Mapping[str, object]]]
) -> Answer:
    """Return what ``run`` returns, or the first answer to a request with the same key of the same agent.

    Raises ``KeyReused`` for a key that came with another body, and what ``run`` raises.
    """
    agent = sha256(check_agent(call).encode()).hexdigest()[:32]
    sender = f"ucp:{agent}@{store.menu.terms.id}"
    answer: Answer = await answer_once(call, f"ucp_{operation}", lambda: _create_answer(operation, run), OK, sender)
    if MISMATCH in answer.headers:
        raise KeyReused
    return answer


async def _create_answer(operation: str, run: Callable[[], Awaitable[Mapping[str, object]]]) -> Answer:
    document = await run()
    # What says why there is no resource has no id.
    return Answer(document, CREATED if operation.startswith("create") and "id" in document else OK)
