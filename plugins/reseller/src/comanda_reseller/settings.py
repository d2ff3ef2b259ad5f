"""The operator's settings for resellers, prefixed ``COMANDA_RESELLER_``."""

from decimal import Decimal
from pathlib import Path

from comanda.basics import to_ppm
from comanda.contracts import Percent, PluginSettings
from comanda.platform import runtime
from pydantic import BaseModel, Field, field_validator


class TierSetting(BaseModel):
    """A tier: the discount on the platform's fee for resellers with at least ``min_customers``."""

    key: str = Field(pattern="^[a-z0-9_-]{1,30}$")
    name: str = Field(min_length=1, max_length=60)
    min_customers: int = Field(ge=0)
    discount_percent: Percent


def _tier(key: str, name: str, min_customers: int, discount: int) -> TierSetting:
    return TierSetting.model_validate(
        {"key": key, "name": name, "min_customers": min_customers, "discount_percent": discount}
    )


DEFAULT_TIERS = [
    _tier("partner", "Partner", 0, 0),
    _tier("silver", "Silver", 10, 10),
    _tier("gold", "Gold", 50, 20),
    _tier("platinum", "Platinum", 200, 30),
]


class ResellerSettings(PluginSettings):
    """The tiers of resellers, and the platform's fee."""

    tiers: list[TierSetting] = Field(
        default=DEFAULT_TIERS, description="The tiers, as a JSON list; the first begins at 0 customers."
    )
    fee_per_subscription: Decimal = Field(
        default=Decimal(2),
        ge=0,
        le=10_000,
        max_digits=9,
        decimal_places=4,
        description="What a reseller pays for each running subscription and month, in the wallet's currency, before "
        "tax and the tier's discount.",
    )
    fee_due_days: int = Field(default=14, ge=0, le=365, description="Days in which invoices to resellers are due.")
    platform_name: str = Field(
        default="Comanda", min_length=1, max_length=255, description="The seller on invoices to resellers."
    )
    platform_address: str | None = Field(
        default=None, max_length=1000, description="The seller's address on invoices to resellers."
    )
    platform_tax_number: str | None = Field(
        default=None, max_length=50, description="The seller's tax number on invoices to resellers."
    )
    platform_tax_percent: Percent = Field(default=Decimal(0), description="The tax rate on invoices to resellers.")
    platform_email: str = Field(
        default="", max_length=255, description="The seller's e-mail address on invoices to resellers."
    )
    platform_invoice_prefix: str = Field(
        default="COM", pattern="^[A-Z0-9]{1,10}$", description="What numbers of invoices to resellers begin with."
    )
    reminder_days: list[int] = Field(
        default=[-3, 1, 7],
        max_length=10,
        description="Days after an invoice is due on which its customer is reminded, as a JSON list; negative for "
        "days before.",
    )
    fonts: list[Path] = Field(
        default=[],
        description="Font files (TTF or OTF) for the PDF of invoices, as a JSON list, for scripts that DejaVu Sans "
        "lacks, such as Chinese, Japanese, Korean, Thai or those of India.",
    )
    invitation_days: int = Field(default=7, ge=1, le=90, description="How long an invitation can be accepted.")

    @property
    def platform_tax_ppm(self) -> int:
        """The tax rate on invoices to resellers, in parts per million."""
        return to_ppm(self.platform_tax_percent)

    @field_validator("reminder_days")
    @classmethod
    def _check_reminder_days(cls, days: list[int]) -> list[int]:
        if not all(-60 <= day <= 365 for day in days):
            raise ValueError("must be days from -60 to 365")
        return sorted(set(days))

    @field_validator("tiers")
    @classmethod
    def _check_tiers(cls, tiers: list[TierSetting]) -> list[TierSetting]:
        ordered = sorted(tiers, key=lambda tier: tier.min_customers)
        if not ordered or ordered[0].min_customers != 0:
            raise ValueError("must contain a tier that begins at 0 customers")
        if len({tier.key for tier in ordered}) < len(ordered):
            raise ValueError("must not contain two tiers with one key")
        if len({tier.min_customers for tier in ordered}) < len(ordered):
            raise ValueError("must not contain two tiers that begin at one number")
        return ordered


def get_settings() -> ResellerSettings:
    return runtime.settings_of(ResellerSettings)
