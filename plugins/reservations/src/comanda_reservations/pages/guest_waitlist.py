"""The pages on which guests join the waitlist of a store and see their place in the line."""

from typing import Final

from comanda.basics import NotFound
from comanda.web import N_, store_guests
from quart import Response, abort, render_template, request

from comanda_reservations.models import WaitingStatus
from comanda_reservations.pages.guest_refusals import WAITLIST_SENTENCES
from comanda_reservations.pages.guest_tables import HEADERS, PRIVATE_HEADERS, blueprint, find_page_store
from comanda_reservations.services import guest_waitlist, wait_quotes, waiting_parties
from comanda_reservations.services.waitlist import WAITLIST_OFF

STATUS_LABELS: Final = {
    WaitingStatus.WAITING: (N_("Waiting"), "info"),
    WaitingStatus.CALLED: (N_("Your table is ready"), "good"),
    WaitingStatus.SEATED: (N_("Seated"), "good"),
    WaitingStatus.LEFT: (N_("Left the waitlist"), "neutral"),
    WaitingStatus.NO_SHOW: (N_("Did not come"), "neutral"),
}
# What the form suggests.
DEFAULT_PARTY: Final = 2


@blueprint.get("/s/<slug>/waitlist")
async def show_waitlist(slug: str) -> Response:
    """Return how long guests wait who have no reservation, and the form to join the line."""
    store, rules = await find_page_store(slug)
    refusal = guest_waitlist.get_refusal(rules)
    if refusal == WAITLIST_OFF:
        abort(404)
    page = await render_template(
        "reservations/guest/waitlist.html",
        store=store,
        rules=rules,
        refusal=None if refusal is None else WAITLIST_SENTENCES[refusal],
        quote=await wait_quotes.estimate_wait(store.owner_id, store.id, rules, DEFAULT_PARTY),
    )
    return Response(page, headers=HEADERS)


@blueprint.get("/reservations/waitlist/<int:party_id>")
async def show_party(party_id: int) -> Response:
    """Return the place of a party in the line to everybody who has its link."""
    expires, signature = request.args.get("expires", ""), request.args.get("signature", "")
    try:
        owner_id, store_id = await guest_waitlist.find_store(party_id, expires, signature)
        store = await store_guests.get_store(owner_id, store_id)
        party = await waiting_parties.load_party(owner_id, store_id, party_id)
    except NotFound:
        abort(404)
    page = await render_template(
        "reservations/guest/waiting_party.html",
        store=store,
        party=party,
        status=STATUS_LABELS[party.status],
        is_in_line=party.status in waiting_parties.IN_LINE,
        leave_path=f"/reservations/waitlist/{party_id}/departure?expires={expires}&signature={signature}",
    )
    return Response(page, headers=PRIVATE_HEADERS)
