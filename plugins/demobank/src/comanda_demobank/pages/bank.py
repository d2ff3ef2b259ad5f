"""The pages that play the bank and its card readers."""

from typing import Any, Final

from comanda.basics import NotFound
from comanda.contracts import Pages
from comanda.web import format_minor
from quart import Blueprint, Response, abort, render_template, request

from comanda_demobank.services import charges, payouts, readers

blueprint = Blueprint(
    "demobank", __name__, template_folder="templates", static_folder="static", static_url_path="/demobank-static"
)

pages = Pages(blueprint, secret_paths=("/demobank/", "/demobank-readers/"))

PRIVATE_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; "
        "form-action 'self' https: http:"
    ),
}


@blueprint.get("/demobank/<reference>")
async def show_charge(reference: str) -> Response:
    """Show a charge, and what the bank can say to it."""
    try:
        charge = await charges.get_charge(reference)
    except NotFound:
        abort(404)
    payout = None if charge.payout_id is None else await payouts.get_state(charge.owner_id, charge.payout_id)
    return await _render(
        "demobank/charge.html",
        charge=charge,
        payout=payout,
        amount=format_minor(charge.amount_minor, charge.currency),
        is_confirming=request.args.get("step") == "confirm",
    )


@blueprint.get("/demobank-readers/<reference>")
async def show_reader(reference: str) -> Response:
    """Show a card reader, and the charge that it asks a card for."""
    try:
        reader = await readers.get_reader(reference)
    except NotFound:
        abort(404)
    charge = await charges.find_charge_on_reader(charges.parse_owner(reference), reference)
    amount = None if charge is None else format_minor(charge.amount_minor, charge.currency)
    return await _render("demobank/reader.html", reader=reader, charge=charge, amount=amount)


async def _render(template: str, **values: Any) -> Response:
    return Response(await render_template(template, **values), headers=PRIVATE_HEADERS)
