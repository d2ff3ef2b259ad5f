"""The first start: a link under which the first owner, who is administrator, and the first store are created.

The link is printed when a server starts with no owner in the database. It is good until there is an owner, and for 24
hours. Links printed by several processes are all good, for one setup.
"""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from comanda.accounts import passwords, services, web_sessions
from comanda.accounts.owner_login import set_owner_password
from comanda.accounts.sign_in import one_time_tokens
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.contracts.requests.callers import Caller
from comanda.platform import runtime
from comanda.platform.audit_log.entries import record_action
from comanda.platform.db import sql
from comanda.stores import services as stores
from comanda.stores.schemas import SettingsChange

PURPOSE: Final = "setup"
LIFETIME: Final = timedelta(hours=24)
SETUP_PATH: Final = "/setup/"
MAX_NAME_LENGTH: Final = 255
COUNTRY: Final = re.compile("[A-Z]{2}")
# Two people who send the form at once take turns; any unused number will do.
SETUP_LOCK: Final = int.from_bytes(b"setup")

HAS_OWNER: Final = "SELECT EXISTS (SELECT FROM core_owner)"
SET_FIRST_ADMINISTRATOR: Final = "UPDATE core_owner SET is_administrator = true WHERE id = $1"


@dataclass(frozen=True, slots=True)
class Setup:
    """The first owner and the first store, as a person enters them."""

    name: str
    email: str
    password: str
    title: str
    store_type: str
    currency: str
    timezone: str
    country: str | None


async def create_setup_link() -> str | None:
    """Create a setup link and return it, or None if there is an owner already."""
    if await sql.fetch_value(HAS_OWNER):
        return None
    token = await one_time_tokens.create_token(one_time_tokens.NO_OWNER, PURPOSE, LIFETIME)
    return f"{runtime.settings().site_url}{SETUP_PATH}{token}"


async def is_setup_token(token: str) -> bool:
    """Return whether a setup link is valid."""
    found = await one_time_tokens.find_token(token, PURPOSE)
    return found is not None and not await sql.fetch_value(HAS_OWNER)


async def set_up(token: str, setup: Setup, *, browser_name: str, address: str) -> str:
    """Create the owner, the store and a web session, all or nothing; return the session's secret.

    Raises ``NotFound`` for a link that is used or expired, or if there is an owner already, and ``ValidationFailed``.
    """
    _check(setup)
    async with sql.transaction():
        await sql.execute("SELECT pg_advisory_xact_lock($1)", SETUP_LOCK)
        used = await one_time_tokens.use_token(token, PURPOSE)
        if used is None or await sql.fetch_value(HAS_OWNER):
            raise NotFound
        owner = await services.create_owner(setup.email, setup.name)
        await set_owner_password(owner.id, setup.password)
        await sql.execute(SET_FIRST_ADMINISTRATOR, owner.id)
        await _create_store(owner.id, setup)
        await one_time_tokens.delete_tokens(one_time_tokens.NO_OWNER, PURPOSE)
        await record_action(owner.id, "account/setup", actor_kind="owner", actor_id=owner.id, address=address)
        secret, _ = await web_sessions.create_session(owner_id=owner.id, name=browser_name)
    return secret


def _check(setup: Setup) -> None:
    """Check what needs no database, so that a person learns of all problems at once."""
    errors: dict[str, list[str]] = {}
    for field in ("name", "title"):
        text = getattr(setup, field).strip()
        if not 1 <= len(text) <= MAX_NAME_LENGTH or "\0" in text:
            errors[field] = [f"Must have 1 to {MAX_NAME_LENGTH} characters."]
    email = setup.email.strip().casefold()
    if "@" not in email.strip("@") or len(email) > MAX_NAME_LENGTH or "\0" in email:
        errors["email"] = ["Must be an e-mail address."]
    if setup.country is not None and not COUNTRY.fullmatch(setup.country):
        errors["country"] = ["Must be an ISO 3166 code such as PT."]
    try:
        passwords.check_password(setup.password, email, refuse_common=True)
    except ValidationFailed as error:
        errors.update({name: list(sentences) for name, sentences in error.errors.items()})
    if errors:
        raise ValidationFailed(errors)


async def _create_store(owner_id: int, setup: Setup) -> None:
    store_id = await stores.create_store(
        owner_id, setup.title.strip(), setup.store_type, currency=setup.currency, timezone=setup.timezone
    )
    if setup.country is not None:
        caller = Caller("owner", 0, owner_id, None, None, frozenset({"*"}), None)
        await stores.update_settings(caller, store_id, SettingsChange(country=setup.country))
