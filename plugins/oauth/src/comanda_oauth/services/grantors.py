"""Who grants access: an owner, to what the stores do, or a customer of one store, to what it has of them.

Clients, codes, tokens and their rules are the same for both. A request is for one of them alone, which its resource
decides, or else its scopes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from comanda_oauth.scopes import CUSTOMER_LABELS, LABELS, REGISTRY, parse


@dataclass(frozen=True, slots=True)
class Grantor:
    """A kind of people who grant access.

    ``caller_kind`` is theirs, so a server for such callers is a resource of theirs. ``labels`` say in words what each
    scope allows that they can grant; ``registry`` spells those scopes as clients do.
    """

    caller_kind: str
    labels: Mapping[str, str] = field(repr=False)
    registry: tuple[str, ...]


OWNER: Final = Grantor("owner", LABELS, REGISTRY)
CUSTOMER: Final = Grantor("customer", CUSTOMER_LABELS, tuple(CUSTOMER_LABELS))
GRANTORS: Final = (OWNER, CUSTOMER)


def find_grantor(callers: Sequence[str], requested: str) -> Grantor:
    """Return who is asked, by the callers of the requested resource, if it is a server, and the requested scopes."""
    for grantor in GRANTORS:
        if grantor.caller_kind in callers:
            return grantor
    wanted = parse(requested)
    return CUSTOMER if wanted and all(name in CUSTOMER.labels for name in wanted) else OWNER
