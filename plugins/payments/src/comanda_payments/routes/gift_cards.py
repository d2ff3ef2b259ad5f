"""Gift cards of a store, and of its customers."""

from comanda.contracts import (
    ANY_SCOPE,
    Answer,
    Call,
    Caller,
    IdempotencyKey,
    Page,
    PageRequest,
    RecordPage,
    Routes,
    key_header,
)

from comanda_payments.models import GiftCardStatus
from comanda_payments.records.balances import GiftCard, GiftCardWithEntries, IssuedGiftCard
from comanda_payments.schemas import AdjustmentBody, GiftCardBody, GiftCardQuery, LookupBody, OwnGiftCard
from comanda_payments.services.balances import gift_cards

routes = Routes("Gift cards")
customer_routes = Routes("Customer", callers=("customer",))

GIFT_CARDS_PATH = "/restaurants/{id}/gift-cards"
MAX_LOOKUPS_PER_MINUTE = 30


@routes.get(GIFT_CARDS_PATH, scope="orders:read", is_delegable=False)
async def list_gift_cards(caller: Caller, id: int, query: GiftCardQuery, page: PageRequest) -> RecordPage[GiftCard]:
    """List a store's gift cards, newest first."""
    return await gift_cards.list_gift_cards(caller, id, query, page)


@routes.post(
    GIFT_CARDS_PATH,
    scope="orders:write",
    answers=IssuedGiftCard,
    headers=(key_header("card, without its code"),),
    is_delegable=False,
)
async def issue_gift_card(caller: Caller, id: int, body: GiftCardBody, call: Call) -> Answer:
    """Issue a gift card. Only this response contains its code; the response to a repeat does not."""
    return (await gift_cards.issue_gift_card(caller, id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{GIFT_CARDS_PATH}/lookup", scope="orders:write", status=200, is_read_only=True, is_delegable=False)
async def find_gift_card(caller: Caller, id: int, body: LookupBody, call: Call) -> GiftCard:
    """Look up a gift card and its balance by its code, at most 30 times a minute per token."""
    await call.count(f"gift-card:{caller.owner_id}:{caller.limit_bucket}", MAX_LOOKUPS_PER_MINUTE)
    return await gift_cards.get_gift_card_by_code(caller, id, body.code)


@routes.get(f"{GIFT_CARDS_PATH}/{{cardId}}", scope="orders:read", is_delegable=False)
async def get_gift_card(caller: Caller, id: int, card_id: int) -> GiftCardWithEntries:
    """Return a gift card, with the newest 100 entries of its ledger."""
    return await gift_cards.get_gift_card(caller, id, card_id)


@routes.post(
    f"{GIFT_CARDS_PATH}/{{cardId}}/adjust",
    scope="orders:write",
    status=200,
    answers=GiftCardWithEntries,
    headers=(key_header("adjustment"),),
    is_delegable=False,
)
async def adjust_gift_card(caller: Caller, id: int, card_id: int, body: AdjustmentBody, call: Call) -> Answer:
    """Adjust the balance of a gift card up or down, with a reason."""
    return (await gift_cards.adjust_gift_card(caller, id, card_id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{GIFT_CARDS_PATH}/{{cardId}}/block", scope="orders:write", status=200, is_delegable=False)
async def block_gift_card(caller: Caller, id: int, card_id: int) -> GiftCardWithEntries:
    """Block a gift card, such as a stolen one."""
    return await gift_cards.update_gift_card_status(caller, id, card_id, GiftCardStatus.BLOCKED)


@routes.post(f"{GIFT_CARDS_PATH}/{{cardId}}/unblock", scope="orders:write", status=200, is_delegable=False)
async def unblock_gift_card(caller: Caller, id: int, card_id: int) -> GiftCardWithEntries:
    """Unblock a gift card."""
    return await gift_cards.update_gift_card_status(caller, id, card_id, GiftCardStatus.ACTIVE)


@customer_routes.get("/customer/gift-cards", scope=ANY_SCOPE, answers=Page[OwnGiftCard])
async def list_customer_gift_cards(caller: Caller, page: PageRequest) -> RecordPage[GiftCard]:
    """List your gift cards, newest first."""
    return await gift_cards.list_customer_gift_cards(caller, page)
