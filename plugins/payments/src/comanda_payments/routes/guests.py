"""Routes for guests' pages: buying a gift card, starting the payment of a prepayment, coming back from the provider."""

from typing import Final
from urllib.parse import quote

from comanda.basics import RateLimited
from comanda.contracts import PUBLIC, Answer, Call, Routes, parse_body
from comanda.web import N_, store_guests, translate_errors
from comanda.web import gettext as _

from comanda_payments.schemas import GiftCardSaleBody, GuestPaymentOut
from comanda_payments.services.prepaid import gift_card_sales, prepayment_checkout
from comanda_payments.services.prepaid.prepayment_rows import Prepayment, get_prepayment

routes = Routes("Prepayment pages", callers=PUBLIC, prefix="", is_documented=False)

# Guests of one store often share an IP address.
MAX_RETURNS_PER_MINUTE = 120
# Why nothing can be paid, in sentences for guests.
SENTENCES: Final = {"no_online_payment": N_("This store cannot be paid online at the moment. Please call.")}


@routes.post("/s/{slug}/gift-card-sales", answers=GuestPaymentOut)
async def buy_gift_card(call: Call, slug: str) -> dict[str, str]:
    """Buy a gift card on the store's page. A ``client_uuid`` that was used before goes on with the first sale."""
    await store_guests.check_guest_call(call, "gift-card-page")
    with translate_errors(call.headers) as language, store_guests.translate_refusals(SENTENCES):
        store = await store_guests.get_public_store(slug)
        body = parse_body(GiftCardSaleBody, call.body)
        description = _("Gift card")
        prepayment_id = await gift_card_sales.buy_gift_card(
            store.guest, store.id, body, call.body, description, language.code
        )
        prepayment = await get_prepayment(store.owner_id, prepayment_id)
        return {"url": await _start(prepayment)}


@routes.post("/prepayments/{prepaymentId}/start", status=200, answers=GuestPaymentOut)
async def start_payment(call: Call, prepayment_id: int) -> dict[str, str]:
    """Start or resume the payment of a prepayment from its page, by the link that the guest has."""
    await store_guests.check_guest_call(call, "prepayment-page")
    with translate_errors(call.headers), store_guests.translate_refusals(SENTENCES):
        return {"url": await _start(await _find_linked(call, prepayment_id))}


@routes.get("/prepayments/{prepaymentId}/return", status=303)
async def return_from_provider(call: Call, prepayment_id: int) -> Answer:
    """Check the payment after the guest returns from the provider, and redirect to the page of what was paid."""
    prepayment = await _find_linked(call, prepayment_id)
    try:
        await call.count(f"prepayment-return:{call.client_network}", MAX_RETURNS_PER_MINUTE)
        await prepayment_checkout.check_payment(prepayment.owner_id, prepayment.id)
    except RateLimited:
        pass  # The page shows the known status; the task updates it.
    headers = {"Location": quote(await _get_page(prepayment), safe="/?&=-"), "Referrer-Policy": "no-referrer"}
    return Answer(status=303, headers=headers)


async def _find_linked(call: Call, prepayment_id: int) -> Prepayment:
    expires, signature = call.query.get("expires", ""), call.query.get("signature", "")
    return await prepayment_checkout.find_linked(prepayment_id, expires, signature)


async def _start(prepayment: Prepayment) -> str:
    """Return the provider's page, or that of the prepayment if there is nothing to pay or the provider is away."""
    url = await prepayment_checkout.start_payment(prepayment.owner_id, prepayment.id)
    return url or await _get_page(prepayment)


async def _get_page(prepayment: Prepayment) -> str:
    return prepayment.page_path or await prepayment_checkout.create_link(prepayment.owner_id, prepayment.id)
