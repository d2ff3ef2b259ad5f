"""The order participant of rewards: checks the points, takes the discount off, and books the points with the order."""

from typing import Final

from comanda.basics import PPM_OF_WHOLE, Sentence, ValidationFailed, money
from comanda.contracts import (
    Caller,
    Contribution,
    Discount,
    DraftLine,
    NewOrder,
    OrderBody,
    OrderParticipant,
    OrderRequest,
    PlacedOrder,
    Reservation,
    StoreTerms,
)

from comanda_loyalty.models import RewardType
from comanda_loyalty.schemas import RewardFields
from comanda_loyalty.services import ledger, redemptions
from comanda_loyalty.services.programmes import PARTICIPANT_NAME, LoadedProgramme, LoadedReward, load_programme
from comanda_loyalty.services.redemptions import FIELD, create_points_error

# After coupons and promotions, whose rows are locked before the customer's account.
PRIORITY: Final = 210
DISCOUNT_CODE: Final = "loyalty_reward"


def has_reward(request: OrderRequest, _programme: LoadedProgramme | None) -> bool:
    """Return whether the order names a reward."""
    return request.fields.get(FIELD) is not None


async def prepare(body: OrderBody, caller: Caller, terms: StoreTerms, programme: LoadedProgramme | None) -> int | None:
    """Return the points of the customer who takes a reward; None costs no statement."""
    if programme is None or not (body.model_extra or {}).get(FIELD) or not _is_customer(caller):
        return None
    account = await ledger.find_account(terms.owner_id, terms.id, caller.known_subject_id)
    return 0 if account is None else account.balance


def apply(request: OrderRequest, programme: LoadedProgramme | None) -> Contribution:
    """Return the discount of the order's reward. Raises ``ValidationFailed`` with a ``reason`` if it cannot be taken.

    An order that is amended has its reward, and what that takes off the lines of now.
    """
    reward = _find_reward(request, programme)
    if request.amends is None:
        reward = _require_available(request, programme, reward)
    discount = None if reward is None else create_discount(request, reward)
    if discount is None and request.amends is None and request.is_complete:
        raise _create_refusal("not_applicable", Sentence("The reward does not apply to these items."))
    return Contribution(discounts=[] if discount is None else [discount])


def _require_available(
    request: OrderRequest, programme: LoadedProgramme | None, reward: LoadedReward | None
) -> LoadedReward:
    if not _is_customer(request.caller):
        raise _create_refusal("signed_out", Sentence("Sign in to use a reward."))
    if programme is None or reward is None or not programme.is_on or not reward.is_active:
        raise _create_refusal("unknown", Sentence("This store has no such reward."))
    if request.body.coupon_code:
        raise _create_refusal("coupon", Sentence("A reward cannot be combined with a coupon."))
    balance = request.prepared.get(PARTICIPANT_NAME) or 0
    if balance < reward.points:
        raise create_points_error(reward.points, balance)
    return reward


async def lock_points(request: OrderRequest, programme: LoadedProgramme | None) -> Reservation:
    """Lock the account of the customer. Raises ``ValidationFailed`` if it has too few points by now."""
    terms, reward = request.terms, _find_reward(request, programme)
    if reward is None:
        raise _create_refusal("unknown", Sentence("This store has no such reward."))
    account = await redemptions.lock_points(terms.owner_id, terms.id, request.caller.known_subject_id, reward.points)
    return Reservation(state=(account, reward.points))


async def take_points(request: OrderRequest, _programme: LoadedProgramme | None, order: NewOrder) -> None:
    """Take the points off, now that the order has an id. Emits ``LoyaltyChanged``."""
    account, points = order.reserved
    await redemptions.take_points(account, order.id, points, request.caller.actor)


async def keep_points(_request: OrderRequest, _programme: LoadedProgramme | None, _order: NewOrder) -> None:
    """Do nothing: an amended order keeps its reward. It is not ``unaffected``, as two orders cannot share one."""


async def give_back(order: PlacedOrder) -> None:
    """Give the points of a cancelled order back."""
    if order.attributes.get(FIELD) is not None:
        await redemptions.give_back(order)


async def take_again(order: PlacedOrder) -> None:
    """Take the points of a reopened order again."""
    if order.attributes.get(FIELD) is not None:
        await redemptions.take_again(order)


def create_discount(request: OrderRequest, reward: LoadedReward) -> Discount | None:
    """Return what a reward takes off an order, None if nothing."""
    positions = None
    match reward.type:
        case RewardType.PERCENTAGE:
            amount = money.round_half_up(request.subtotal_minor * (reward.value_ppm or 0), PPM_OF_WHOLE)
        case RewardType.FIXED:
            amount = min(reward.value_minor or 0, request.subtotal_minor)
        case RewardType.ITEM:
            line = _find_line(request, reward.item_id)
            amount = 0 if line is None else line.unit_price_minor
            positions = None if line is None else frozenset({line.position})
    return Discount(DISCOUNT_CODE, reward.name, amount, positions) if amount else None


def _find_line(request: OrderRequest, item_id: int | None) -> DraftLine | None:
    """Return the line with the cheapest unit of an item; the items of a combo are not sold by themselves."""
    lines = [line for line in request.lines if line.combo is None and line.item_id == item_id]
    return min(lines, key=lambda line: (line.unit_price_minor, line.position), default=None)


def _find_reward(request: OrderRequest, programme: LoadedProgramme | None) -> LoadedReward | None:
    return None if programme is None else programme.rewards.get(request.fields[FIELD])


def _is_customer(caller: Caller) -> bool:
    return caller.acts_for("customer") and caller.subject_id is not None


def _create_refusal(reason: str, sentence: str) -> ValidationFailed:
    return ValidationFailed({FIELD: [sentence]}, extras={"reason": reason})


REWARDS: Final = OrderParticipant(
    PARTICIPANT_NAME,
    priority=PRIORITY,
    fields=RewardFields,
    load=load_programme,
    prepare=prepare,
    concerns=has_reward,
    validate=apply,
    reserve=lock_points,
    placed=take_points,
    amended=keep_points,
    cancelled=give_back,
    reopened=take_again,
)
