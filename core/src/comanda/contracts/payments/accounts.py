"""Payment accounts: where the money of an owner, or of one store, goes, and how an owner gets one at a provider."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

MAX_CREDENTIAL_LENGTH: Final = 500


class AccountMode(StrEnum):
    """Whether the account moves money; a provider's test account moves none."""

    TEST = "test"
    LIVE = "live"


class AccountState(StrEnum):
    """The state of an account; only a ready one takes new payments.

    ``pending`` waits for the owner, ``restricted`` for the provider, and ``revoked`` is disconnected for good.
    """

    PENDING = "pending"
    READY = "ready"
    RESTRICTED = "restricted"
    REVOKED = "revoked"


class AccountCapability(StrEnum):
    """What an account can do. With ``platform_fee`` the provider withholds the fee of a charge for the operator."""

    ONLINE = "online"
    IN_PERSON = "in_person"
    REFUNDS = "refunds"
    PARTIAL_CAPTURE = "partial_capture"
    PLATFORM_FEE = "platform_fee"


@dataclass(frozen=True, slots=True)
class AccountField:
    """A credential that an owner enters, or may leave out unless it ``is_required``.

    ``label`` and ``hint`` are English and marked with ``N_``.
    """

    name: str
    label: str
    hint: str = ""
    is_secret: bool = True
    is_required: bool = True


@dataclass(frozen=True, slots=True)
class AccountStatus:
    """What a provider says of an account; ``reason`` says in words what is missing or why it is restricted.

    ``external_id`` is the provider's own id of the account. ``credentials`` replace those that are stored, None keeps
    them.
    """

    state: AccountState
    mode: AccountMode
    capabilities: frozenset[AccountCapability] = frozenset()
    reason: str | None = None
    external_id: str | None = None
    credentials: Mapping[str, str] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class PaymentAccount:
    """An account at a provider, which its payment method's code names, for all stores of an owner or for one.

    The operator's account, which may be lent to owners, has no ``id`` and no ``credentials``: its provider has
    settings. ``webhook_url`` is where the provider reports on this account.
    """

    provider: str
    owner_id: int
    store_id: int | None
    id: int | None
    mode: AccountMode
    state: AccountState
    capabilities: frozenset[AccountCapability]
    webhook_url: str
    reason: str | None = None
    external_id: str | None = None
    credentials: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> str:
        """The name of the account for its provider, which never changes."""
        return f"account-{self.owner_id}-{self.id}"

    def can(self, capability: AccountCapability) -> bool:
        """Return whether the account is ready and has a capability."""
        return self.state is AccountState.READY and capability in self.capabilities


@dataclass(frozen=True, slots=True)
class ProviderSetup:
    """How owners get an account at a provider, by the ``name`` that owners know it by.

    With ``fields`` an owner enters the credentials of an own account, with ``has_account_page`` one that is connected
    to the operator's is completed on the provider's page. ``operator`` is the operator's own account, as the settings
    have it.
    """

    name: str
    fields: tuple[AccountField, ...] = ()
    has_account_page: bool = False
    operator: AccountStatus | None = None

    @property
    def is_enterable(self) -> bool:
        """Whether an owner can connect an account without the provider's page."""
        return bool(self.fields) or not self.has_account_page


@dataclass(frozen=True, slots=True)
class AccountPage:
    """The page of a provider on which an owner completes an account, and the provider's id of that account."""

    url: str
    external_id: str
