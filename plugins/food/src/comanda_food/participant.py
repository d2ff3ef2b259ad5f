"""The order participant that holds every line of an order against what its guest must not eat."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from comanda.contracts import Contribution, DraftLine, OrderParticipant, OrderRequest, Problem
from comanda.web import gettext as _

from comanda_food.item_capabilities import FOOD_INFORMATION
from comanda_food.records import OVERRIDDEN_BY, LineConflict, Restrictions
from comanda_food.schemas.food_facts import RestrictionFields
from comanda_food.services.line_facts import get_line_facts
from comanda_food.services.restrictions import describe_conflict, find_conflict

LISTS: Final = ("avoid_allergens", "avoid_traces", "required_diets")
OVERRIDE: Final = "restrictions_override"
# Those who answer for what leaves the kitchen.
STAFF: Final = frozenset({"owner", "staff"})


def is_restricted(request: OrderRequest, _loaded: None) -> bool:
    """Return whether an order, or one that it takes over, says what its guest must not eat."""
    amends = request.amends
    absorbed = amends.absorbed.attributes if amends is not None and amends.absorbed is not None else {}
    return any(fields.get(name) for fields in (request.fields, absorbed) for name in LISTS)


def check_lines(request: OrderRequest, _loaded: None) -> Contribution:
    """Return a problem if a line contains what it must not, or may do so as nobody has declared it.

    Staff take over an order with a reason, which is kept with their id. Lines that an amended order already has were
    taken over or checked before, as were those of an order that it absorbs; what is added is checked.
    """
    fields, amends = request.fields, request.amends
    if amends is None and not fields.get("restrictions_consent"):
        text = _("The guest has to agree that the store keeps what they must not eat.")
        return Contribution(problems=[Problem("restrictions_consent", text, {"reason": "consent_required"})])
    restrictions = Restrictions(*(frozenset(fields.get(name) or ()) for name in LISTS))
    lines = request.lines if amends is None else amends.list_added(request.lines)
    conflicts = [found for line in lines if (found := _check_line(request, line, restrictions)) is not None]
    if amends is not None:
        return _merge(fields, amends.absorbed.attributes if amends.absorbed else {}, conflicts)
    reason = fields.get(OVERRIDE)
    if conflicts and not (reason and request.caller.kind in STAFF):
        return Contribution(problems=_to_problems(conflicts))
    if not conflicts:
        return Contribution(omitted_fields=frozenset({OVERRIDE}))
    return Contribution(attributes={OVERRIDDEN_BY: request.caller.actor})


def _check_line(request: OrderRequest, line: DraftLine, restrictions: Restrictions) -> LineConflict | None:
    if line.is_heading:
        return None  # a combo contains what its items contain, which are lines of their own
    variation = None if line.variation is None else line.variation.name
    facts = get_line_facts(request.items[line.item_id], variation, [extra.name for extra in line.extras])
    found = find_conflict(facts, restrictions)
    return (
        None
        if found is None
        else replace(
            found, position=line.position if line.body_position is None else line.body_position, item=line.name
        )
    )


def _to_problems(conflicts: Sequence[LineConflict]) -> list[Problem]:
    extras = {"reason": "restriction_conflict", "conflicts": [each.to_json() for each in conflicts]}
    return [Problem(f"items.{each.position}", describe_conflict(each), extras) for each in conflicts]


def _merge(fields: Mapping[str, Any], absorbed: Mapping[str, Any], conflicts: Sequence[LineConflict]) -> Contribution:
    """Return what an amended order keeps: what both orders must not contain, if it takes over another one."""
    if conflicts and not fields.get(OVERRIDE):
        return Contribution(problems=_to_problems(conflicts))
    names = [name for name in LISTS if absorbed.get(name)]
    merged = {name: sorted({*(fields.get(name) or ()), *absorbed[name]}) for name in names}
    return Contribution(attributes={**merged, "restrictions_consent": True} if merged else {})


RESTRICTIONS: Final = OrderParticipant(
    "restrictions",
    capability=FOOD_INFORMATION.code,
    fields=RestrictionFields,
    concerns=is_restricted,
    validate=check_lines,
)
