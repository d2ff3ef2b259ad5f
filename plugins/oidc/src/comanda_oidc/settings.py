"""The operator's settings, prefixed ``COMANDA_OIDC_``."""

import re
from typing import Annotated, Final, Self
from urllib.parse import urlsplit

from comanda.contracts import PluginSettings
from comanda.platform import http_client, runtime
from comanda.platform.http_client import AllowedTargets, NetworkList
from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

MAX_PROVIDERS: Final = 5
MAX_DOMAINS: Final = 50
DOMAIN: Final = re.compile(r"(?=.{3,253}\Z)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+")
# Providers at which anybody can have an account.
PUBLIC_ISSUER_HOSTS: Final = frozenset(
    {
        "accounts.google.com",
        "appleid.apple.com",
        "login.live.com",
        "login.microsoftonline.com",
        "login.yahoo.com",
        "api.login.yahoo.com",
        "gitlab.com",
        "www.facebook.com",
        "www.linkedin.com",
        "www.paypal.com",
    }
)


class Provider(BaseModel):
    """A provider of identities. ``code`` is part of its redirect address and never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    code: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,29}$")]
    name: Annotated[str, Field(min_length=1, max_length=60)]
    issuer: Annotated[str, Field(min_length=1, max_length=255)]
    client_id: Annotated[str, Field(min_length=1, max_length=255)]
    client_secret: SecretStr
    email_domains: Annotated[tuple[str, ...], Field(max_length=MAX_DOMAINS)] = ()
    checks_two_factor: bool = False

    @field_validator("email_domains")
    @classmethod
    def _check_domains(cls, domains: tuple[str, ...]) -> tuple[str, ...]:
        lowered = tuple(domain.strip().lower() for domain in domains)
        if not all(DOMAIN.fullmatch(domain) for domain in lowered):
            raise ValueError("must be domains such as shops.example")
        return lowered

    @model_validator(mode="after")
    def _check_issuer(self) -> Self:
        parts = urlsplit(self.issuer)
        if parts.scheme not in {"https", "http"} or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("The issuer must be an address such as https://login.example.com/realms/shops.")
        if not self.email_domains and parts.hostname.lower() in PUBLIC_ISSUER_HOSTS:
            raise ValueError(
                f"Anybody can have an account at {parts.hostname}: list the email_domains that may sign in."
            )
        return self

    def is_allowed(self, email: str) -> bool:
        """Return whether an address in lower case is of a domain that may sign in."""
        return not self.email_domains or email.rpartition("@")[2] in self.email_domains


class OidcSettings(PluginSettings):
    """The providers of this installation."""

    providers: list[Provider] = Field(
        default=[],
        description="Up to five providers as a JSON list of objects with code, name, issuer, client_id, client_secret, "
        "email_domains and checks_two_factor.",
    )
    allowed_networks: NetworkList = Field(
        default=[], description="CIDRs of providers that are reachable although they are not public."
    )

    @field_validator("providers")
    @classmethod
    def _check_providers(cls, providers: list[Provider]) -> list[Provider]:
        if len(providers) > MAX_PROVIDERS:
            raise ValueError(f"must be at most {MAX_PROVIDERS}")
        if len({each.code for each in providers}) < len(providers):
            raise ValueError("each needs a code of its own")
        if len({each.issuer for each in providers}) < len(providers):
            raise ValueError("each needs an issuer of its own")
        return providers


def list_providers() -> list[Provider]:
    """List the providers of this installation."""
    return runtime.settings_of(OidcSettings).providers


def find_provider(code: str) -> Provider | None:
    """Return the provider with a code, or None."""
    return next((each for each in list_providers() if each.code == code), None)


def get_allowed_targets() -> AllowedTargets:
    """Return the networks that requests may reach although they are not public."""
    return http_client.get_allowed_targets(runtime.settings_of(OidcSettings).allowed_networks)
