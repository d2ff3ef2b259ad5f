"""How many login codes one phone or e-mail is sent: enough for its owner, however many strangers ask for more.

Anybody may request a code for any phone, so whoever floods one must neither use up its day nor void what its owner is
typing. Each rule takes less from the owner than from a stranger, for every code arrives at the owner's phone:

1. A source gets ``Rules.per_source`` codes of one holder a day.
2. While ``Rules.alive`` codes are good, no other is sent: any of them opens the door.
3. After ``Rules.a_day`` codes of a holder, or ``login_codes_per_address`` (a setting) to the phone or e-mail over all
   stores, a store sends one per ``24 h / a_day`` and only while none is good; after twice the setting all stores
   together do. So the owner is never locked out for a day, and a phone costs at most twice the setting and ``a_day``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from comanda.errors import RateLimited

DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SentCode:
    """A code that was sent to an address within a day.

    ``is_same_holder`` if it was for the same store, ``is_same_source`` if it was requested from the same address too;
    ``is_usable`` if it would still let in whoever requests another one now.
    """

    created_at: datetime
    is_same_holder: bool
    is_same_source: bool
    is_usable: bool


def is_new_code_due(
    sent: Sequence[SentCode], moment: datetime, *, per_source: int, alive: int, per_holder: int, per_address: int
) -> bool:
    """Return whether to send another code; not while those that were ``sent``, newest first, are enough.

    Raises ``RateLimited``.
    """
    same_source = [one for one in sent if one.is_same_holder and one.is_same_source]
    if len(same_source) >= per_source:
        raise RateLimited(_seconds(same_source[per_source - 1].created_at + DAY - moment))
    same_holder = [one for one in sent if one.is_same_holder]
    usable = sum(one.is_usable for one in same_holder)
    if usable >= alive:
        return False
    if len(same_holder) < per_holder and len(sent) < per_address:
        return True
    if usable:
        return False
    counted = same_holder if len(sent) < 2 * per_address else sent
    due_at = counted[0].created_at + DAY / per_holder if counted else moment
    if due_at > moment:
        raise RateLimited(_seconds(due_at - moment))
    return True


def _seconds(wait: timedelta) -> int:
    return int(wait.total_seconds()) + 1
