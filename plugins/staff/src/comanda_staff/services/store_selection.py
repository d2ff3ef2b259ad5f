"""Login by e-mail and password without naming a store, as in an app for all stores.

An e-mail may belong to members of no, one or several stores of any owners. Until a password was correct, neither
responses nor their timing reveal which.
"""

from dataclasses import asdict, dataclass
from typing import Final

from comanda.accounts import login_attempts, passwords
from comanda.basics import NotFound, RateLimited, Sentence, ValidationFailed
from comanda.platform.db import sql

from comanda_staff.records import LoginChoice
from comanda_staff.schemas.login import StaffLoginBody
from comanda_staff.services import login
from comanda_staff.services.stores import StaffStore

# As many passwords are checked for every e-mail, known or not. Members of more stores name the store.
MAX_STORES: Final = 3

SELECT_CANDIDATES: Final = """
    SELECT m.store_id, m.owner_id, m.password_hash, s.title, o.name AS owner_name, o.is_suspended
    FROM staff_member m
    JOIN core_store_v1 s ON s.id = m.store_id AND s.owner_id = m.owner_id
    JOIN core_owner_v1 o ON o.id = m.owner_id
    WHERE m.email = $1 AND m.is_active AND m.password_hash IS NOT NULL AND ($2::bigint IS NULL OR m.owner_id = $2)
    ORDER BY o.is_suspended, m.last_login_at DESC NULLS LAST, m.id LIMIT $3
"""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A store with an active member of this e-mail."""

    store_id: int
    owner_id: int
    password_hash: str
    title: str
    owner_name: str
    is_suspended: bool


async def find_store_of_login(body: StaffLoginBody, owner_id: int | None = None) -> StaffStore:
    """Return the store, of this owner if one is given, whose member has this e-mail and password.

    Raises ``Unauthenticated`` with the reason ``invalid_credentials``; ``ValidationFailed`` on ``restaurant_id`` with
    ``choices`` if there are several; ``NotFound`` with the reason ``account_suspended`` if the owner is suspended.
    """
    rows = await sql.fetch(SELECT_CANDIDATES, body.email, owner_id, MAX_STORES) if body.email else []
    candidates = [sql.to_record(_Candidate, row) for row in rows]
    matching = [candidate for candidate in candidates if await _check_password(candidate, body)]
    for _ in range(MAX_STORES - len(candidates)):
        await passwords.verify_password(body.password, None)
    if not matching:
        raise login.create_credentials_error()
    active = [candidate for candidate in matching if not candidate.is_suspended]
    if not active:
        raise NotFound(Sentence("This account is suspended."), extras={"reason": "account_suspended"})
    if len(active) > 1:
        raise ValidationFailed(
            restaurant_id=["Choose one of the choices."],
            extras={"choices": [asdict(_to_choice(each)) for each in active]},
        )
    return StaffStore(active[0].store_id, active[0].owner_id, active[0].title)


async def _check_password(candidate: _Candidate, body: StaffLoginBody) -> bool:
    store = StaffStore(candidate.store_id, candidate.owner_id, candidate.title)
    try:
        key = await login.count_password_attempt(store, body.email)
    except RateLimited:
        # An error would reveal that the e-mail is known in this store. The work stays the same.
        await passwords.verify_password(body.password, None)
        return False
    is_right = (await passwords.verify_password(body.password, candidate.password_hash)).is_right
    if is_right:
        await login_attempts.reset_attempts(candidate.owner_id, key)
    return is_right


def _to_choice(candidate: _Candidate) -> LoginChoice:
    return LoginChoice(candidate.owner_id, candidate.owner_name, candidate.store_id, candidate.title)
