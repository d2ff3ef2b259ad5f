"""The legal texts of a store: settings that its owner writes, and which of them there are."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from comanda.contracts import StoreSettings, StoreSettingsFields, StoreTerms, example, setting
from comanda.stores import get_store_settings
from comanda.web import N_

PARTICIPANT_NAME: Final = "legal_texts"
MAX_LENGTH: Final = 30_000
MAX_EXCEPTIONS_LENGTH: Final = 2000
# The words of article 11a of Directive 2011/83/EU, as each language has them.
WITHDRAW_LABEL: Final = N_("Withdraw from contract here")
# Among the names of the texts that a store has, that its guests can withdraw.
WITHDRAW: Final = "withdraw"

# The headings of the pages, by the fields of the settings, in the order of the links.
HEADINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "imprint": N_("Imprint"),
        "terms": N_("Terms and conditions"),
        "privacy": N_("Privacy"),
        "withdrawal": N_("Right of withdrawal"),
        "accessibility": N_("Accessibility"),
    }
)


class LegalTexts(StoreSettingsFields):
    """Texts that guests find at the end of the store's pages. An empty line begins a paragraph."""

    model_config = example({"imprint": "Trattoria da Alba, Lda.\nRua das Oliveiras 14, Lisboa", "terms": "Cash only."})

    imprint: str = setting(
        "",
        label=N_("Imprint"),
        help_text=N_("Who runs the store: name, address, e-mail, register and tax number."),
        max_length=MAX_LENGTH,
    )
    terms: str = setting("", label=N_("Terms and conditions"), max_length=MAX_LENGTH)
    privacy: str = setting(
        "",
        label=N_("Privacy"),
        help_text=N_("Which data of guests you keep, why, for how long, and whom they can ask."),
        max_length=MAX_LENGTH,
    )
    withdrawal: str = setting(
        "",
        label=N_("Right of withdrawal"),
        help_text=N_("For goods that are sent: until when guests can withdraw, and how."),
        max_length=MAX_LENGTH,
    )
    accessibility: str = setting("", label=N_("Accessibility"), max_length=MAX_LENGTH)
    has_withdrawal: bool = setting(
        False,
        label=N_("Guests can withdraw from contracts on the store's pages"),
        help_text=N_(
            "Stores that sell goods or services online to consumers in the European Union have to offer this since "
            "19 June 2026, such as shops and pharmacies that send what they sell. Meals and food that spoils are "
            "mostly excepted."
        ),
    )
    withdrawal_exceptions: str = setting(
        "",
        label=N_("What guests cannot withdraw from"),
        help_text=N_("Shown above the form, such as: Opened medicines and goods made to order cannot be returned."),
        max_length=MAX_EXCEPTIONS_LENGTH,
    )

    def get_text(self, name: str) -> str:
        """Return one of the texts by its name in ``HEADINGS``."""
        text: str = getattr(self, name)
        return text.strip()


STORE_SETTINGS: Final = StoreSettings(plugin="legal", title=N_("Legal texts"), fields=LegalTexts)


async def load_written(terms: StoreTerms) -> frozenset[str]:
    """Return the names of the texts that a store has, to be kept in memory with its menu."""
    texts = await get_store_settings(LegalTexts, terms.owner_id, terms.id)
    names = {name for name in HEADINGS if texts.get_text(name)}
    return frozenset(names | {WITHDRAW} if texts.has_withdrawal else names)


def has_text(name: str) -> Callable[[StoreTerms], bool]:
    """Return a function that returns whether a store has a text."""

    def is_written(terms: StoreTerms) -> bool:
        parts = (part for joined in terms.parts.values() for part in joined)
        return any(part.participant.name == PARTICIPANT_NAME and name in (part.loaded or ()) for part in parts)

    return is_written
