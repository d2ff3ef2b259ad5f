"""The format of amounts, times and rules on pages, in the language of their reader."""

from datetime import datetime
from zoneinfo import ZoneInfo

from comanda.contracts import ExtraGroup
from comanda.web import formats, ngettext
from comanda.web import gettext as _


def format_price(minor: int, currency: str) -> str:
    """Return a formatted amount, such as €9.50."""
    return formats.format_minor(minor, currency)


def format_time(when: datetime, zone: ZoneInfo, near: datetime | None = None) -> str:
    """Return a local time of the store, without the day if it is the same day as ``near``."""
    local = when.astimezone(zone)
    is_known = near is not None and near.astimezone(zone).date() == local.date()
    return formats.format_time(local) if is_known else formats.format_moment(local)


def format_choice_rule(group: ExtraGroup) -> str:
    """Return how many extras of a group can be chosen."""
    minimum, maximum, free = group.min_count, group.max_count, group.free_count
    if maximum is None:
        text = (
            ngettext("required, choose at least one", "required, choose at least %(num)s", minimum)
            if minimum
            else _("choose any")
        )
    elif minimum == maximum:
        text = ngettext("required, choose one", "required, choose %(num)s", minimum)
    else:
        text = (
            _("required, choose %(minimum)s to %(maximum)s", minimum=minimum, maximum=maximum)
            if minimum
            else ngettext("choose up to %(num)s", "choose up to %(num)s", maximum)
        )
    return _("%(rule)s, %(number)s free", rule=text, number=free) if free else text
