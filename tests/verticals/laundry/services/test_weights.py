"""Lines that are sold by weight: an estimate when they are ordered, a price when they are weighed."""

import asyncio

import pytest
from comanda.basics import MAX_MINOR, ValidationFailed
from comanda.contracts import Caller
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_laundry.schemas import WeightBody
from comanda_laundry.services import weights
from comanda_laundry.services.weights import to_line_price

# The caller; the store, twice, and once more for the answer; the order's lock, twice; the line and its weight; the
# amendment with its lines, totals, event and sections; the answer.
MAX_STATEMENTS = 14


async def test_order_by_weight_is_an_estimate(laundry):
    order = await laundry.drop_off(line(laundry.wash, 3), line(laundry.shirt, 2))

    assert order["total"] == 19.5
    assert [each["price_label"] for each in order["items"]] == ["Estimate in kg: weighed when we take it in", None]
    intake = await laundry.intake(order)
    assert intake["lines_to_weigh"] == 1
    assert [(each["name"], each["price_per_kg"], each["grams"]) for each in intake["lines"]] == [
        ("Wash and fold", 4.5, None), ("Shirt", None, None),
    ]  # fmt: skip


async def test_weight_settles_the_total_as_an_amendment(laundry, published):
    order = await laundry.drop_off(line(laundry.wash, 3), line(laundry.shirt, 2))

    weighed = await laundry.weigh(order, 4350)

    assert (weighed.status, weighed["total"], weighed["amount_due"]) == (200, 25.58, 25.58)
    assert (weighed["lines_to_weigh"], weighed["lines"][0]["grams"]) == (0, 4350)
    amended = await laundry.read(order)
    washed = amended["items"][0]
    assert washed["id"] == order["items"][0]["id"]
    assert (washed["quantity"], washed["unit_price"], washed["price_label"]) == (
        1,
        19.58,
        "4.350 kg \N{MULTIPLICATION SIGN} 4.50",
    )
    assert (amended["total"], amended["amendments"], amended["voided_items"]) == (25.58, 1, [])
    (amendment,) = (await laundry.get(f"/orders/{order['id']}/amendments"))["data"]
    assert (amendment["kind"], amendment["total"], amendment["reason"]) == (
        "price", 25.58, "Weighed: 4.350 kg \N{MULTIPLICATION SIGN} 4.50",
    )  # fmt: skip
    assert [change["quantity"] for change in amendment["changes"]] == [-2]
    history = (await laundry.get(f"/orders/{order['id']}/history"))["data"][0]
    assert (history["field"], history["to"], history["note"]) == (
        "lines",
        "price",
        "Weighed: 4.350 kg \N{MULTIPLICATION SIGN} 4.50",
    )
    name, event = (await published())[-1]
    assert (name, event["kind"], event["total"]) == ("order.amended", "price", "25.58")
    assert (event["added"], event["voided"]) == ([], [])


async def test_reports_count_what_was_weighed(laundry, dispatch):
    order = await laundry.drop_off(line(laundry.wash, 3), line(laundry.shirt, 2))
    await dispatch()

    await laundry.weigh(order, 4350)
    at_once = (await laundry.get("/analytics")).document
    await dispatch()

    assert (await laundry.get("/analytics")).document == at_once
    assert {each["name"]: each["quantity"] for each in at_once["top_items"]} == {"Shirt": 2, "Wash and fold": 1}


async def test_weighing_takes_few_statements(laundry, monkeypatch):
    order = await laundry.drop_off()
    await laundry.weigh(order, 1000)
    seen = []
    acquire = sql._acquire_connection
    monkeypatch.setattr(sql, "_acquire_connection", lambda text: seen.append(text) or acquire(text))

    assert (await laundry.weigh(order, 2000)).status == 200

    assert len([each for each in seen if "pg_notify" not in each]) <= MAX_STATEMENTS


async def test_second_weight_replaces_the_first(laundry):
    order = await laundry.drop_off()
    await laundry.weigh(order, 4350)

    assert (await laundry.weigh(order, 2000))["total"] == 9
    assert (await laundry.weigh(order, 2000))["total"] == 9

    assert (await laundry.read(order))["amendments"] == 2


async def test_eight_scales_weigh_one_line(laundry):
    order = await laundry.drop_off()

    answers = await asyncio.gather(*(laundry.weigh(order, 1000 * kg) for kg in range(1, 9)))

    assert [answer.status for answer in answers] == [200] * 8
    found, intake = await laundry.read(order), await laundry.intake(order)
    assert found["amendments"] == 8
    assert found["total"] == intake["total"] == 4.5 * intake["lines"][0]["grams"] / 1000


async def test_more_than_was_paid_is_due(laundry, pay):
    order = await laundry.drop_off()
    await pay(order, 1350)
    assert (await laundry.read(order))["is_paid"] is True

    weighed = await laundry.weigh(order, 4000)

    assert (weighed.status, weighed["total"], weighed["amount_due"]) == (200, 18, 4.5)
    assert weighed["payment_status"] == "partially_paid"
    kinds = [each["kind"] for each in (await laundry.get(f"/orders/{order['id']}/amendments"))["data"]]
    assert kinds == ["price", "reopen"]


async def test_less_than_was_paid_needs_a_refund(laundry):
    order = await laundry.drop_off()
    paid = await laundry.send("POST", f"/orders/{order['id']}/payments", {"method": "cash", "amount": 13.5})
    assert paid.status == 201

    refused = await laundry.weigh(order, 2000)

    assert (refused.status, refused["reason"]) == (422, "refund_due")
    unchanged = await laundry.read(order)
    assert (unchanged["total"], unchanged["is_paid"], unchanged["amendments"]) == (13.5, True, 0)
    assert (await laundry.intake(order))["lines"][0]["grams"] is None
    weighed = await laundry.weigh(order, 2000, refund={})
    assert (weighed.status, weighed["total"], weighed["amount_due"]) == (200, 9, 0)
    assert (await laundry.read(order))["is_paid"] is True


async def test_same_weight_as_paid_stays_paid(laundry, pay):
    order = await laundry.drop_off()
    await pay(order, 1350)

    weighed = await laundry.weigh(order, 3000)

    assert (weighed["total"], weighed["amount_due"], weighed["payment_status"]) == (13.5, 0, "paid")


@pytest.mark.parametrize("grams", [0, -1, 500_001, 1.5, "heavy", None, True])
async def test_impossible_weight_is_refused(laundry, grams):
    order = await laundry.drop_off()

    refused = await laundry.weigh(order, grams)

    assert list(refused.errors) == ["grams"]
    assert (await laundry.read(order))["amendments"] == 0


async def test_line_by_the_piece_is_not_weighed(laundry):
    order = await laundry.drop_off(line(laundry.shirt))

    assert (await laundry.weigh(order, 500)).status == 404


@pytest.mark.parametrize("status", ["cancelled", "completed"])
async def test_closed_order_is_not_weighed(laundry, status):
    order = await laundry.drop_off()
    await laundry.weigh(order, 1000)
    await laundry.set_status(order["id"], status)

    refused = await laundry.weigh(order, 2000)

    assert (refused.status, refused["reason"]) == (409, "order_closed")


async def test_order_is_not_completed_before_it_is_weighed(laundry):
    order = await laundry.drop_off()

    refused = await laundry.set_status(order["id"], "completed")

    assert refused.errors == {"status": ["Weigh what is sold by weight before you complete the order."]}
    await laundry.weigh(order, 1000)
    assert (await laundry.set_status(order["id"], "completed")).status == 200


async def test_lines_that_are_added_are_weighed_and_voided_ones_are_not(laundry):
    order = await laundry.drop_off()
    path = f"/orders/{order['id']}/lines"
    amended = (await laundry.send("POST", path, {"items": [line(laundry.wash, 2)]})).document
    assert (await laundry.intake(order))["lines_to_weigh"] == 2

    await laundry.send("POST", f"{path}/{order['items'][0]['id']}/void", {"reason": "Not left"})

    assert (await laundry.intake(order))["lines_to_weigh"] == 1
    assert (await laundry.weigh(order, 1000)).status == 404
    assert (await laundry.weigh(amended, 3000, place=1))["total"] == 13.5


async def test_weight_of_another_owners_order_is_not_found(laundry, foreign_laundry):
    theirs = await foreign_laundry.drop_off()

    assert (await laundry.weigh(theirs, 1000)).status == 404
    tried = type(laundry)(laundry.client, laundry.owner, foreign_laundry.id)
    assert (await tried.weigh(theirs, 1000)).status == 404
    assert (await foreign_laundry.intake(theirs))["lines"][0]["grams"] is None


async def test_failure_after_the_amendment_leaves_nothing(laundry, monkeypatch):
    order = await laundry.drop_off()
    caller = Caller("owner", 0, laundry.owner.id, None, None, frozenset({"*"}), None)
    place = (caller, laundry.id, order["id"], order["items"][0]["id"])
    monkeypatch.setattr(weights, "SAVE_WEIGHT", None)

    with pytest.raises(TypeError):
        await weights.weigh_line(*place, WeightBody(grams=1000))

    found = await laundry.read(order)
    assert (found["total"], found["amendments"], found["items"][0]["quantity"]) == (13.5, 0, 3)


def test_price_is_rounded_half_up():
    assert to_line_price(450, 1001, "EUR").unit_price_minor == 450
    assert to_line_price(450, 2350, "EUR").unit_price_minor == 1058
    assert to_line_price(3, 500, "EUR").unit_price_minor == 2
    assert to_line_price(450, 50, "EUR").label == "0.050 kg \N{MULTIPLICATION SIGN} 4.50"


def test_price_beyond_the_limit_is_refused():
    with pytest.raises(ValidationFailed):
        to_line_price(MAX_MINOR, 1001, "EUR")
