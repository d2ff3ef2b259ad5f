"""Protection against privilege escalation: nobody can grant a scope that they do not hold.

Call ``require_scopes_to_grant`` in the service that creates, re-enables or replaces a credential (a token, password or
PIN) or changes its permissions, before anything is written.
"""

from collections.abc import Iterable

from comanda.contracts.callers import Caller
from comanda.errors import Forbidden


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
