"""Acting for an owner: staff on the owner's routes, and protection against privilege escalation.

Nobody can grant a scope that they do not hold.

Call ``require_scopes_to_grant`` in the service that creates, re-enables or replaces a credential (a token, password or
PIN) or changes its permissions, before anything is written.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from comanda.accounts.web_sessions import WebSession
from comanda.basics.errors import Forbidden
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import Caller
from comanda.platform import runtime

OWNER: Final = "owner"


def require_scopes_to_grant(caller: Caller, scopes: Iterable[str]) -> None:
    """Check that the caller holds every one of the ``scopes`` that a credential will carry.

    ``scopes`` are those of owner routes, such as ``orders:write``; a plugin whose credentials carry other permissions
    translates them first. Raises ``Forbidden`` naming the missing scopes.
    """
    missing = [scope for scope in dict.fromkeys(scopes) if not caller.may(scope)]
    if missing:
        noun = "scope" if len(missing) == 1 else "scopes"
        raise Forbidden(
            f"This token lacks the {noun} {', '.join(missing)}, which the credential would carry.",
            extras={"required": missing[0]},
        )


def to_dashboard_caller(session: WebSession) -> Caller:
    """Return a signed-in person as a caller of the owner's routes: the owner, or staff with what their scopes allow.

    Staff keep their kind and store, act as the owner as apps do, and so use routes that are delegable and no others.
    Raises ``Forbidden`` for people of a kind that does not use the dashboard.
    """
    if session.kind == OWNER:
        return session.caller
    kind = runtime.registry().caller_kinds.get(session.kind)
    if kind is None or kind.owner_scopes is None or session.store_id is None:
        raise Forbidden(Sentence("You are signed in with an account that may not use this page."))
    return replace(session.caller, acts_as=OWNER, scopes=frozenset(kind.owner_scopes(session.scopes)))


def list_dashboard_kinds() -> tuple[str, ...]:
    """List the kinds of people who use the dashboard."""
    kinds = runtime.registry().caller_kinds.values()
    return (OWNER, *(kind.code for kind in kinds if kind.owner_scopes is not None))
