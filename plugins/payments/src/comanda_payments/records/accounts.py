"""Records of payment accounts, of the providers where owners get them, and of the operator's terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.basics import Money, to_percent
from comanda.contracts import AccountCapability, AccountMode, AccountState, NullableStoreId, PercentNumber, StoreId


@dataclass(frozen=True, slots=True)
class OwnPaymentAccount:
    """An account at a payment provider, for one store or, without ``restaurant_id``, for all that have none.

    Only a ``ready`` account takes new payments; ``reason`` says what is missing. What was paid into it is refunded from
    it whatever its state. Its credentials are never returned; one that ``is_connected`` has none, as the provider knows
    it as connected to the operator's. The provider reports to ``webhook_url``.
    """

    id: int
    provider: str
    store_id: NullableStoreId
    mode: AccountMode
    state: AccountState
    reason: str | None
    capabilities: Sequence[AccountCapability]
    external_id: str | None
    is_connected: bool
    webhook_url: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class CredentialField:
    """A credential that an owner enters."""

    name: str
    label: str
    hint: str
    is_secret: bool
    is_required: bool


@dataclass(frozen=True, slots=True)
class AvailableProvider:
    """A payment provider, and how to get an account there.

    With ``fields``, or without ``has_account_page``, an account is created at once; else on the provider's page.
    ``lent_mode`` is that of the operator's account if this owner may use it. A provider that ``manages_readers`` itself
    has none registered, renamed or removed here.
    """

    code: str
    name: str
    fields: Sequence[CredentialField]
    has_account_page: bool
    is_enterable: bool
    lent_mode: AccountMode | None
    manages_readers: bool


@dataclass(frozen=True, slots=True)
class AccountPageLink:
    """The page of the provider on which the owner completes the account."""

    url: str


@dataclass(frozen=True, slots=True)
class OwnCardReader:
    """A card reader of an account, with the provider's ``reference``; only one that ``is_online`` takes payments.

    One that is a page, as for trying it out, has its ``url``.
    """

    reference: str
    name: str
    is_online: bool
    url: str | None


@dataclass(frozen=True, slots=True)
class StoreCardReader(OwnCardReader):
    """A card reader that a store can be paid on, with the ``method`` of such payments."""

    method: str


@dataclass(frozen=True, slots=True)
class StoreFee:
    """The operator's fee of an online payment in a store: a percentage, and a fixed amount."""

    store_id: StoreId
    title: str
    percent: PercentNumber
    fixed: Money


@dataclass(frozen=True, slots=True)
class FeeDecision:
    """A fee that the operator has set, for a store or, with None, for all stores of an owner."""

    store_id: int | None
    title: str | None
    rate_ppm: int
    fixed: Money

    @property
    def percent(self) -> float:
        """The share of the amount in percent."""
        return to_percent(self.rate_ppm)


@dataclass(frozen=True, slots=True)
class TermsDecisions:
    """What the operator has decided for an owner. Where no fee is set, that of the plan holds."""

    lends_account: bool
    currency: str
    fees: Sequence[FeeDecision]
    plan_percent: float


@dataclass(frozen=True, slots=True)
class OwnPaymentTerms:
    """What the operator has decided: whether its own account is lent, and the fees, which providers withhold."""

    lends_account: bool
    currency: str
    fees: Sequence[StoreFee]
