"""The pages on which guests withdraw from a contract: the form, what they are about to state, the acknowledgement."""

from collections.abc import Mapping
from typing import Final

from comanda.basics import NotFound, ValidationFailed
from comanda.contracts import parse_query
from comanda.orders import Order
from comanda.stores import get_store_settings
from comanda.web import GuestStore, find_customer_session, store_guests, translate_sentence
from quart import Response, abort, render_template, request

from comanda_legal.pages.legal_pages import blueprint, split_paragraphs
from comanda_legal.schemas import WithdrawalForm
from comanda_legal.services import acknowledgements, guest_withdrawals, withdrawals
from comanda_legal.store_settings import WITHDRAW_LABEL, LegalTexts

# The pages hold what people wrote, and the address of an order gives access to it.
PRIVATE_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
}
FIELDS: Final = tuple(WithdrawalForm.model_fields)
CHANGE: Final = "change"


@blueprint.get("/s/<slug>/legal/withdraw")
async def show_form(slug: str) -> Response:
    """Return the form of a store."""
    store = await _find_store(slug)
    return await _render_form(store, f"/s/{store.slug}/legal/withdraw", await _get_customer(store))


@blueprint.post("/s/<slug>/legal/withdraw")
async def review_form(slug: str) -> Response:
    """Return what the guest is about to state, or the form with what is wrong. Nothing is stored."""
    store = await _find_store(slug)
    return await _review(store, f"/s/{store.slug}/legal/withdraw", f"/s/{store.slug}/withdrawals")


@blueprint.get("/withdraw/<token>")
async def show_order_form(token: str) -> Response:
    """Return the form of an order, filled in."""
    store, order = await _find_order(token)
    known = {"name": order.customer_name or "", "contract": str(order.number)}
    return await _render_form(store, _to_path(token), {**await _get_customer(store), **known})


@blueprint.post("/withdraw/<token>")
async def review_order_form(token: str) -> Response:
    """Return what the guest of an order is about to state, like ``review_form``."""
    store, _order = await _find_order(token)
    return await _review(store, _to_path(token), f"{_to_path(token)}/statement")


@blueprint.get("/legal/withdrawals/<int:withdrawal_id>")
async def show_acknowledgement(withdrawal_id: int) -> Response:
    """Return the acknowledgement to everybody who has its link."""
    expires, signature = request.args.get("expires", ""), request.args.get("signature", "")
    try:
        owner_id, store_id = await acknowledgements.find_store(withdrawal_id, expires, signature)
        store = await store_guests.get_store(owner_id, store_id)
        stated = await withdrawals.load_withdrawal(owner_id, store_id, withdrawal_id)
    except NotFound:
        abort(404)
    submitted_at = acknowledgements.format_moment(stated.submitted_at, store.zone)
    page = await render_template(
        "legal/guest/acknowledgement.html", store=store, stated=stated, submitted_at=submitted_at
    )
    return Response(page, headers=PRIVATE_HEADERS)


async def _find_store(slug: str) -> GuestStore:
    try:
        return await guest_withdrawals.get_store(slug)
    except NotFound:
        abort(404)


async def _find_order(token: str) -> tuple[GuestStore, Order]:
    try:
        return await guest_withdrawals.get_order(token)
    except NotFound:
        abort(404)


def _to_path(token: str) -> str:
    return guest_withdrawals.ORDER_PATH.format(token=token)


async def _get_customer(store: GuestStore) -> dict[str, str]:
    session = await find_customer_session(request, store.owner_id, store.id)
    return {} if session is None else await guest_withdrawals.get_contact(session)


async def _review(store: GuestStore, form_path: str, action: str) -> Response:
    sent = await request.form
    values = {name: text for name in FIELDS if (text := sent.get(name, "").strip())}
    if CHANGE in sent:
        return await _render_form(store, form_path, values)
    try:
        stated = parse_query(WithdrawalForm, values)
    except ValidationFailed as error:
        errors = {name: translate_sentence(sentences[0]) for name, sentences in error.errors.items()}
        return await _render_form(store, form_path, values, errors)
    page = await render_template(
        "legal/guest/review.html", store=store, stated=stated, values=values, form_path=form_path, action=action
    )
    return Response(page, headers=PRIVATE_HEADERS)


async def _render_form(
    store: GuestStore, form_path: str, values: Mapping[str, str], errors: Mapping[str, str] | None = None
) -> Response:
    texts = await get_store_settings(LegalTexts, store.owner_id, store.id)
    page = await render_template(
        "legal/guest/form.html",
        store=store,
        label=WITHDRAW_LABEL,
        form_path=form_path,
        values=values,
        errors=errors or {},
        exceptions=split_paragraphs(texts.withdrawal_exceptions),
        has_text=bool(texts.get_text("withdrawal")) and store.is_published,
    )
    return Response(page, 422 if errors else 200, headers=PRIVATE_HEADERS)
