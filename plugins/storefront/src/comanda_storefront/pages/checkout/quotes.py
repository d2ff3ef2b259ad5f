"""The quote of a store's page: the price of what can be ordered, and what stands against the rest."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from comanda.basics import clock, money
from comanda.contracts import OrderRequest, Problem
from comanda.orders import OrderDraft
from comanda.web import gettext as _
from comanda.web import translate_sentence

from comanda_storefront import store_settings
from comanda_storefront.pages.checkout import order_times
from comanda_storefront.pages.formats import format_price
from comanda_storefront.schemas.page_orders import LineState
from comanda_storefront.services.published_stores import PublishedStore

LINE_FIELD: Final = re.compile(r"items\.(\d+)(?:\.(\w+))?")


def to_quote(store: PublishedStore, priced: OrderDraft) -> dict[str, Any]:
    """Return what the page shows of a priced order."""
    notice: Mapping[str, Any] = next((problem.extras for problem in priced.problems if problem.extras), {})
    return {
        "lines": _to_lines(priced),
        **to_totals(priced, is_tax_included=store.menu.terms.is_tax_included),
        "coupon": _to_coupon(priced),
        "ready_at": _get_ready_at(priced.request, notice),
        "problems": _group_sentences(problem for problem in priced.problems if not LINE_FIELD.match(problem.field)),
        "reason": notice.get("reason"),
        "next_open_at": notice.get("next_open_at"),
    }


def to_totals(priced: OrderDraft, *, is_tax_included: bool) -> dict[str, Any]:
    """Return the amounts below the items, and the total as a number and as formatted text."""
    quote, currency = priced.quote, priced.currency
    amounts = [
        (_("Subtotal"), quote.subtotal_minor if quote.total_minor != quote.subtotal_minor else 0),
        (_("Discount"), -quote.discount_total_minor),
        *((_("of which %(name)s", name=each.name), -each.amount_minor) for each in priced.contributions.promotions),
        (_("Service charge"), quote.service_charge_minor),
        (_("Delivery"), quote.delivery_fee_minor),
        *((_(charge.label), charge.amount_minor) for charge in priced.contributions.charges),
        (_("Tip"), quote.tip_minor),
        (_("Tax"), 0 if is_tax_included else quote.tax_total_minor),
    ]
    return {
        "amounts": [{"label": label, "text": format_price(minor, currency)} for label, minor in amounts if minor],
        "total": money.to_number(quote.total_minor, currency),
        "total_text": format_price(quote.total_minor, currency),
    }


def _to_lines(priced: OrderDraft) -> list[dict[str, Any]]:
    request = priced.request
    known = priced.list_body_lines()
    lines = []
    for position in range(len(request.body.items)):
        problems = [problem for problem in priced.problems if _get_position(problem) == position]
        line, priced_line = known.get(position, (None, None))
        lines.append(
            {
                "state": _get_state(request, position, problems),
                "unit_price": line.unit_price_minor if line else None,
                "price_label": line.price_label if line else None,
                "text": format_price(priced_line.gross_minor, priced.currency) if priced_line else None,
                "sentences": [sentence for group in _group_sentences(problems).values() for sentence in group],
            }
        )
    return lines


def _get_state(request: OrderRequest, position: int, problems: Sequence[Problem]) -> LineState:
    if not problems:
        return LineState.OK
    item = request.items.get(request.body.items[position].item_id)
    if item is None or not item.is_on_menu:
        return LineState.GONE
    if not item.is_available:
        is_sold_later = any("next_sold_at" in problem.extras for problem in problems)
        return LineState.SOLD_LATER if is_sold_later else LineState.SOLD_OUT
    fields = {match[2] for problem in problems if (match := LINE_FIELD.match(problem.field))}
    return LineState.CHOICES if fields & {"variation", "extras"} else LineState.OTHER


def _get_position(problem: Problem) -> int | None:
    match = LINE_FIELD.match(problem.field)
    return int(match[1]) if match else None


def _to_coupon(priced: OrderDraft) -> dict[str, str] | None:
    code = priced.contributions.coupon_code
    if code is None:
        return None
    return {"code": code, "text": format_price(-priced.quote.discount_total_minor, priced.currency)}


def _get_ready_at(request: OrderRequest, notice: Mapping[str, Any]) -> datetime | None:
    """Return when the order will be ready if it is placed now by a guest who will fetch it."""
    if notice or request.scheduled_for is not None or not order_times.is_fetched(request.body.type):
        return None
    return order_times.get_ready_at(request.terms, store_settings.get_settings(request.terms), clock.now())


def _group_sentences(problems: Any) -> dict[str, list[str]]:
    sentences: dict[str, list[str]] = {}
    for problem in problems:
        found = sentences.setdefault(problem.field, [])
        sentence = translate_sentence(problem.message)
        if sentence not in found:
            found.append(sentence)
    return sentences
