"""Limits on how many login codes are sent to one phone or e-mail address.

Anyone can request a code for any phone, so a flood of requests must neither use up the day's codes nor invalidate the
one its owner is typing. Each rule restricts a stranger more than the owner, who receives every code:

1. A source gets ``CodeRules.per_source`` codes per recipient and day.
2. While ``CodeRules.max_active`` codes are valid, no other is sent: any of them logs the owner in.
3. After ``CodeRules.max_per_day`` codes for a recipient, or ``login_codes_per_address`` (a setting) to the address
   across all stores, a store sends one code per ``24 h / max_per_day`` and only while none is valid. After twice the
   setting that limit covers all stores together. So an owner is never locked out for a day, and an address receives at
   most twice the setting plus ``max_per_day`` codes a day.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from comanda.basics.errors import RateLimited

DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SentCode:
    """A code that was sent to an address within the last day.

    ``is_same_holder``: it was for the same store. ``is_same_source``: it was requested from the same network address.
    ``is_usable``: it is still valid for the source that is requesting another one.
    """

    created_at: datetime
    is_same_holder: bool
    is_same_source: bool
    is_usable: bool


def is_new_code_due(
    sent: Sequence[SentCode], moment: datetime, *, per_source: int, max_active: int, per_holder: int, per_address: int
) -> bool:
    """Return whether to send another code, given the codes already ``sent``, newest first.

    Raises ``RateLimited`` if a limit is reached.
    """
    same_source = [one for one in sent if one.is_same_holder and one.is_same_source]
    if len(same_source) >= per_source:
        raise RateLimited(same_source[per_source - 1].created_at + DAY - moment)
    same_holder = [one for one in sent if one.is_same_holder]
    usable = sum(one.is_usable for one in same_holder)
    if usable >= max_active:
        return False
    if len(same_holder) < per_holder and len(sent) < per_address:
        return True
    if usable:
        return False
    counted = same_holder if len(sent) < 2 * per_address else sent
    due_at = counted[0].created_at + DAY / per_holder if counted else moment
    if due_at > moment:
        raise RateLimited(due_at - moment)
    return True
