"""Gift cards of a store."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call
from comanda.contracts.idempotency import IdempotencyKey, key_header
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_payments import gift_cards
from comanda_payments.models import CardStatus
from comanda_payments.schemas import (
    AdjustmentBody,
    GiftCardBody,
    GiftCardIssued,
    GiftCardOut,
    GiftCardQuery,
    GiftCardWhole,
    LookupBody,
)

routes = Routes("Gift cards")

CARDS = "/restaurants/{id}/gift-cards"
LOOKUPS_PER_MINUTE = 30


@routes.get(CARDS, scope="orders:read", answers=Page[GiftCardOut])
async def list_cards(caller: Caller, id: int, query: GiftCardQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's gift cards, newest first."""
    return await gift_cards.page_of_cards(caller, id, query, page)


@routes.post(CARDS, scope="orders:write", answers=GiftCardIssued, headers=(key_header("card, without its code"),))
async def issue_card(caller: Caller, id: int, body: GiftCardBody, call: Call) -> Answer:
    """Issue a gift card. Its code stands in this answer alone, and not in that of a repeat."""
    return (await gift_cards.issue(caller, id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{CARDS}/lookup", scope="orders:write", status=200, answers=GiftCardOut, is_read_only=True)
async def look_up_card(caller: Caller, id: int, body: LookupBody, call: Call) -> dict[str, Any]:
    """Find a gift card by its code, and what it holds. A token may ask 30 times a minute."""
    await call.count(f"gift-card:{caller.token_id}", LOOKUPS_PER_MINUTE)
    return await gift_cards.look_up(caller, id, body.code)


@routes.get(f"{CARDS}/{{cardId}}", scope="orders:read", answers=GiftCardWhole)
async def show_card(caller: Caller, id: int, card_id: int) -> dict[str, Any]:
    """Describe a gift card, with the newest 100 entries of its ledger."""
    return await gift_cards.card(caller, id, card_id)


@routes.post(
    f"{CARDS}/{{cardId}}/adjust",
    scope="orders:write",
    status=200,
    answers=GiftCardWhole,
    headers=(key_header("adjustment"),),
)
async def adjust_card(caller: Caller, id: int, card_id: int, body: AdjustmentBody, call: Call) -> Answer:
    """Add to what a gift card holds, or take from it, for a reason."""
    return (await gift_cards.adjust(caller, id, card_id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{CARDS}/{{cardId}}/block", scope="orders:write", status=200, answers=GiftCardWhole)
async def block_card(caller: Caller, id: int, card_id: int) -> dict[str, Any]:
    """Let nobody spend a gift card, such as a stolen one."""
    return await gift_cards.set_status(caller, id, card_id, CardStatus.BLOCKED)


@routes.post(f"{CARDS}/{{cardId}}/unblock", scope="orders:write", status=200, answers=GiftCardWhole)
async def unblock_card(caller: Caller, id: int, card_id: int) -> dict[str, Any]:
    """Let a blocked gift card be spent again."""
    return await gift_cards.set_status(caller, id, card_id, CardStatus.ACTIVE)
