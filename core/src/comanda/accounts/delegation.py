"""No credential makes a stronger one: whoever creates or changes a login or a token must hold what it may do.

Call ``require_scopes_to_grant`` in the service that creates, re-enables or replaces a credential, before anything is
written. That is every token, password, PIN, and every change of what their holder may do.
"""

from collections.abc import Iterable

from comanda.contracts.callers import Caller
from comanda.errors import Forbidden


def require_scopes_to_grant(caller: Caller, scopes: Iterable[str]) -> None:
    """Check that the caller holds every one of the ``scopes`` that a credential will carry.

    ``scopes`` are those of owner routes, such as ``orders:write``; a plugin whose credentials carry permissions of
    another kind translates them first. Raises ``Forbidden`` that names the missing scopes.
    """
    missing = [scope for scope in dict.fromkeys(scopes) if not caller.may(scope)]
    if missing:
        noun = "scope" if len(missing) == 1 else "scopes"
        raise Forbidden(
            f"This token lacks the {noun} {', '.join(missing)}, which the credential would carry.",
            extras={"required": missing[0]},
        )
