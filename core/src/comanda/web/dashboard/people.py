"""The people who use the dashboard: who they are, and whose work they may do."""

from dataclasses import dataclass

from comanda.accounts.owners import delegation
from comanda.accounts.web_sessions import WebSession
from comanda.basics.errors import NotFound
from comanda.contracts.requests.callers import Caller
from comanda.contracts.web.dashboard import Audience
from comanda.platform import runtime

OWNER_AUDIENCES = frozenset({Audience.OWNER, Audience.DEVELOPER, Audience.RESELLER})


@dataclass(frozen=True, slots=True)
class Person:
    """Who is signed in, the audiences that they belong to, and the brand of their pages."""

    name: str
    email: str
    kind: str
    audiences: frozenset[Audience]
    brand_name: str | None
    brand_email: str | None


def list_session_kinds() -> tuple[str, ...]:
    """List the kinds of sessions that may use the dashboard."""
    return delegation.list_dashboard_kinds()


def get_caller(session: WebSession) -> Caller:
    """Return the person as a caller of routes."""
    return delegation.to_dashboard_caller(session)


async def get_person(session: WebSession) -> Person:
    """Return who is signed in."""
    kind = runtime.registry().caller_kinds.get(session.kind)
    brand = session.brand_name, session.brand_email
    if session.subject_id is None or kind is None or kind.names is None:
        audiences = OWNER_AUDIENCES | ({Audience.ADMINISTRATOR} if session.is_administrator else set())
        return Person(session.owner_name, session.owner_email, session.kind, audiences, *brand)
    names = await kind.names(session.owner_id, [session.subject_id])
    return Person(names.get(session.subject_id, ""), "", session.kind, frozenset({Audience.OWNER}), *brand)


def check_audience(person: Person, audience: Audience) -> None:
    """Check that a page is for a person; one for others looks as if it were not there. Raises ``NotFound``."""
    if audience not in person.audiences:
        raise NotFound
