"""What of a line a guest must not eat."""

from collections.abc import Iterable, Mapping
from typing import Final

from comanda.web import gettext as _

from comanda_food.records import ALLERGEN_LABELS, DIET_LABELS, LineConflict, LineFacts, Restrictions
from comanda_food.services.line_facts import find_matches

MAX_NAMED: Final = 5


def find_conflict(facts: LineFacts, restrictions: Restrictions) -> LineConflict | None:
    """Return what stands against a line, or None. What is not declared stands against avoided allergens."""
    avoided = restrictions.avoid_allergens | restrictions.avoid_traces
    found = LineConflict(
        allergens=tuple(sorted(find_matches(avoided, facts.allergens))),
        may_contain=tuple(sorted(find_matches(restrictions.avoid_traces, facts.may_contain))),
        diets=tuple(sorted(restrictions.required_diets - facts.diets)),
        undeclared=facts.undeclared if avoided else (),
    )
    return found if found.allergens or found.may_contain or found.diets or found.undeclared else None


def describe_conflict(conflict: LineConflict) -> str:
    """Return why a line cannot be ordered, in the language of the page; English in answers of the API."""
    item, found = conflict.item, []
    if conflict.allergens:
        found.append(_("%(item)s contains: %(names)s.", item=item, names=_join(ALLERGEN_LABELS, conflict.allergens)))
    if conflict.may_contain:
        names = _join(ALLERGEN_LABELS, conflict.may_contain)
        found.append(_("%(item)s may contain: %(names)s.", item=item, names=names))
    if conflict.diets:
        found.append(_("%(item)s is not declared as: %(names)s.", item=item, names=_join(DIET_LABELS, conflict.diets)))
    if conflict.undeclared and not found:
        names = ", ".join(conflict.undeclared[:MAX_NAMED])
        found.append(
            _("%(item)s may contain anything: not all allergens are declared of %(names)s.", item=item, names=names)
        )
    return " ".join(found)


def _join(labels: Mapping[str, str], codes: Iterable[str]) -> str:
    return ", ".join(_(labels[code]) for code in codes)
