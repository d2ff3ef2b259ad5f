"""The answers that a person gives on the pages of the demo bank and of its card readers."""

from typing import Final
from urllib.parse import parse_qs, quote

from comanda.basics import NotFound
from comanda.contracts import PUBLIC, Answer, Call, DisputeState, PayoutState, Routes

from comanda_demobank.models import ChargeState
from comanda_demobank.services import charges, payouts, readers

routes = Routes("Demo bank", callers=PUBLIC, prefix="", is_documented=False)

MAX_CALLS_PER_MINUTE: Final = 120
ANSWERS: Final = {"pay": ChargeState.PAID, "decline": ChargeState.DECLINED}
DISPUTE: Final = "dispute"
DECISIONS: Final = {"win": DisputeState.WON, "lose": DisputeState.LOST}
PAY_OUT: Final = "payout"
ARRIVALS: Final = {"arrive": PayoutState.PAID, "return": PayoutState.FAILED}
# What the bank does after the payment is answered on the same page.
LATER_ANSWERS: Final = {DISPUTE, *DECISIONS, PAY_OUT, *ARRIVALS}
# A guest who walks away does nothing: the reader gives up by itself, here at once.
READER_ANSWERS: Final = {**ANSWERS, "leave": ChargeState.CLOSED}
SWITCHES: Final = {"connect": True, "disconnect": False}


@routes.post("/demobank/{reference}/answer", status=303)
async def answer_charge(call: Call, reference: str) -> Answer:
    """Pay or decline, and lead back to where the guest came from; a dispute or a payout leads to the page again."""
    await call.count(f"demobank:{call.client_network}", MAX_CALLS_PER_MINUTE)
    chosen = _parse_answer(call)
    try:
        charge = await charges.get_charge(reference)
        if chosen in ANSWERS:
            charge = await charges.answer_charge(reference, ANSWERS[chosen])
        elif chosen == DISPUTE:
            await charges.open_dispute(reference)
        elif chosen in DECISIONS:
            await charges.decide_dispute(reference, DECISIONS[chosen])
        elif chosen == PAY_OUT:
            await payouts.pay_out(reference)
        elif chosen in ARRIVALS:
            await payouts.finish(reference, ARRIVALS[chosen])
    except NotFound:
        return _redirect_to("/")
    if chosen in LATER_ANSWERS:
        return _redirect_to(f"/demobank/{quote(reference)}")
    return _redirect_to(f"/demobank/{quote(reference)}?step=confirm" if chosen == "confirm" else charge.return_url)


@routes.post("/demobank-readers/{reference}/answer", status=303)
async def answer_on_reader(call: Call, reference: str) -> Answer:
    """Hold a card to a reader or not, unplug or connect it, and show it again."""
    await call.count(f"demobank:{call.client_network}", MAX_CALLS_PER_MINUTE)
    chosen = _parse_answer(call)
    try:
        reader = await readers.get_reader(reference)
        if chosen in SWITCHES:
            await readers.switch_reader(reference, is_online=SWITCHES[chosen])
        charge = await charges.find_charge_on_reader(charges.parse_owner(reference), reference)
        if charge is not None and reader.is_online and chosen in READER_ANSWERS:
            await charges.answer_charge(charge.reference, READER_ANSWERS[chosen])
    except NotFound:
        return _redirect_to("/")
    return _redirect_to(f"/demobank-readers/{quote(reference)}")


def _parse_answer(call: Call) -> str:
    return parse_qs(call.body.decode("latin-1")).get("answer", [""])[-1]


def _redirect_to(address: str) -> Answer:
    headers = {"Location": quote(address, safe="%/:=&?~#+!$,;'@()*[]"), "Referrer-Policy": "no-referrer"}
    return Answer(status=303, headers=headers)
