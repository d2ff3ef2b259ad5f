"""The pages on which guests buy a gift card of a store, and find its code again."""

from typing import Final

from comanda.basics import NotFound
from comanda.contracts import Pages, StoreLink
from comanda.web import N_, format_minor, store_guests
from quart import Blueprint, Response, abort, render_template, request

from comanda_payments.models import PrepaymentKind
from comanda_payments.pages.blueprint import PRIVATE_HEADERS
from comanda_payments.services.balances import gift_card_codes
from comanda_payments.services.bills import available_methods
from comanda_payments.services.prepaid import gift_card_sales, prepayment_checkout
from comanda_payments.store_settings import sells_gift_cards

HEADERS: Final = {"Cache-Control": "no-store"}

blueprint: Final = Blueprint("payments_gift_cards", __name__, template_folder="templates")
pages: Final = Pages(
    blueprint,
    store_links=(StoreLink(N_("Gift cards"), "/s/{slug}/gift-cards", sells_gift_cards),),
    guest_paths=("/gift-cards/", "/prepayments/"),
)


@blueprint.get("/s/<slug>/gift-cards")
async def show_sale(slug: str) -> Response:
    """Return the form to buy a gift card."""
    try:
        store = await store_guests.get_public_store(slug)
        sales = await gift_card_sales.get_sales(store.owner_id, store.id)
    except NotFound:
        abort(404)
    methods = await available_methods.list_online_methods(store.owner_id, store.id)
    page = await render_template("payments/guest/gift_cards.html", store=store, sales=sales, can_pay=bool(methods))
    return Response(page, headers=HEADERS)


@blueprint.get("/gift-cards/<int:prepayment_id>")
async def show_sold_card(prepayment_id: int) -> Response:
    """Return a card that was sold, with its code, to whoever has its link."""
    expires, signature = request.args.get("expires", ""), request.args.get("signature", "")
    try:
        prepayment = await prepayment_checkout.find_linked(prepayment_id, expires, signature)
        if prepayment.kind is not PrepaymentKind.GIFT_CARD:
            raise NotFound
        store = await store_guests.get_store(prepayment.owner_id, prepayment.store_id)
    except NotFound:
        abort(404)
    page = await render_template(
        "payments/guest/gift_card.html",
        store=store,
        prepayment=prepayment,
        amount=format_minor(prepayment.amount_minor, prepayment.currency),
        code=await gift_card_codes.get_sold_code(prepayment.owner_id, prepayment.id),
        start_path=f"/prepayments/{prepayment_id}/start?expires={expires}&signature={signature}",
    )
    return Response(page, headers=PRIVATE_HEADERS)
