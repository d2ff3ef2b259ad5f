"""Accounts at Mollie: the profile of a key, and what is missing until it takes payments."""

from typing import TYPE_CHECKING, Final

from comanda.basics import LazyModule
from comanda.contracts import (
    AccountCapability,
    AccountMode,
    AccountState,
    AccountStatus,
    PaymentAccount,
    PaymentDeclined,
)
from comanda.web import N_

from comanda_mollie.client import (
    KEY_FIELD,
    ORGANIZATION_FIELD,
    UNAUTHORIZED,
    UNKNOWN_KEY,
    UNKNOWN_TOKEN,
    open_client,
    open_organization,
)

if TYPE_CHECKING:
    import mollie
else:
    mollie = LazyModule("mollie")

LENT_CAPABILITIES: Final = frozenset({AccountCapability.ONLINE, AccountCapability.REFUNDS})
# Terminals belong to a profile. Those of the operator's are no matter of the owners that it is lent to.
OWN_CAPABILITIES: Final = LENT_CAPABILITIES | {AccountCapability.IN_PERSON}
BLOCKED: Final = N_("Mollie has blocked this profile.")
REJECTED: Final = N_("Mollie has rejected changes of this profile. Correct them there.")
UNVERIFIED: Final = N_("Mollie has not verified this profile yet. Complete it there.")
NO_METHOD: Final = N_("No payment method is active for this profile in Mollie.")
DELETED: Final = N_("This profile was deleted at Mollie.")
GONE: Final = 410


def get_mode(key: str) -> AccountMode:
    """Return whether a key moves money."""
    return AccountMode.TEST if key.startswith("test_") else AccountMode.LIVE


def get_operator_status(key: str) -> AccountStatus:
    """Return the state of the operator's account, which its key stands for."""
    return AccountStatus(AccountState.READY, get_mode(key), LENT_CAPABILITIES)


async def check_account(account: PaymentAccount) -> AccountStatus:
    """Return the state of the profile of a key. Raises ``PaymentDeclined`` for a key that Mollie does not know."""
    mode = get_mode(account.credentials[KEY_FIELD])
    try:
        async with open_client(account) as client:
            profile = await client.profiles.get_current_async()
            methods = await client.methods.list_async()
    except mollie.ClientError as refusal:
        if refusal.status_code in UNAUTHORIZED:
            raise PaymentDeclined(UNKNOWN_KEY) from refusal
        raise
    except PaymentDeclined as refusal:
        if isinstance(refusal.__cause__, mollie.ClientError) and refusal.__cause__.status_code == GONE:
            return AccountStatus(AccountState.REVOKED, mode, reason=DELETED)
        raise
    state, reason = _get_state(profile, mode, has_methods=bool(methods.embedded.methods))
    if reason is None and not await _can_read_settlements(account):
        reason = UNKNOWN_TOKEN
    return AccountStatus(state, mode, OWN_CAPABILITIES, reason, profile.id)


def _get_state(
    profile: "mollie.ProfileResponse", mode: AccountMode, *, has_methods: bool
) -> tuple[AccountState, str | None]:
    is_rejected = profile.review is not None and profile.review.status == "rejected"
    if profile.status == "blocked":
        return AccountState.RESTRICTED, BLOCKED
    # Keys of tests are there before a profile is verified.
    if mode is AccountMode.LIVE and profile.status != "verified":
        return AccountState.PENDING, REJECTED if is_rejected else UNVERIFIED
    if not has_methods:
        return AccountState.RESTRICTED, NO_METHOD
    return AccountState.READY, REJECTED if is_rejected else None


async def _can_read_settlements(account: PaymentAccount) -> bool:
    """Return whether an organization's token is of use, or there is none: payments do not need it."""
    if ORGANIZATION_FIELD not in account.credentials:
        return True
    try:
        async with open_organization(account) as client:
            await client.settlements.list_async(limit=1)
    except PaymentDeclined:
        return False
    except mollie.ClientError as refusal:
        if refusal.status_code in UNAUTHORIZED:
            return False
        raise
    return True
