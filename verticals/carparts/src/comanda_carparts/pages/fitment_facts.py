"""Which vehicles a part fits, and whether it fits the guest's, in a few words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.web import gettext as _
from comanda.web import ngettext

from comanda_carparts.pages.chosen_car import Car, get_chosen_car

MAX_NAMED: Final = 3
# A fitment with one of these is for some cars of its range alone.
LIMITS: Final = ("engine", "trim", "note")


def list_facts(values: Mapping[str, Any]) -> Sequence[str]:
    """Return the first vehicles that an item fits, and how many more there are."""
    fitments = values.get("fitments") or []
    named = [_("Fits %(vehicle)s", vehicle=format_fitment(each)) for each in fitments[:MAX_NAMED]]
    left = len(fitments) - len(named)
    return [*named, ngettext("and %(num)s more", "and %(num)s more", left)] if left else named


def list_guest_facts(values: Mapping[str, Any], cookies: Mapping[str, str]) -> Sequence[str]:
    """Return whether an item fits the car that a guest has chosen; nothing of an item for every car."""
    fitments = values.get("fitments") or []
    car = get_chosen_car(cookies)
    return [_describe_fit(car, fitments)] if car is not None and fitments else []


def format_fitment(fitment: Mapping[str, Any]) -> str:
    """Return a range of vehicles, such as ``VW Golf 2013-2019``; it is open-ended without a last year."""
    first, last = fitment["year_from"], fitment.get("year_to")
    years = f"{first}-{last or ''}" if last != first else f"{first}"
    return f"{fitment['make']} {fitment['model']} {years}"


def _describe_fit(car: Car, fitments: Sequence[Mapping[str, Any]]) -> str:
    """Return whether one of the fitments is the guest's car, and the engines or trims that it is limited to."""
    found = [each for each in fitments if car.fits(each)]
    if not found:
        return _("Does not fit your %(car)s", car=car.name)
    limits = [", ".join(filter(None, (each.get(name) for name in LIMITS))) for each in found]
    if all(limits):
        return _("Fits your %(car)s, only for: %(cars)s", car=car.name, cars=" / ".join(dict.fromkeys(limits)))
    return _("Fits your %(car)s", car=car.name)
