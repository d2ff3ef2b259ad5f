"""The operator's settings, prefixed ``COMANDA_DOMAINS_``."""

from ipaddress import ip_address

from comanda.contracts import NameList, PluginSettings
from comanda.platform import runtime
from pydantic import Field, field_validator

from comanda_domains.services.host_names import to_host_name

MAX_NAMESERVERS = 4


class DomainsSettings(PluginSettings):
    """What owners can register, and who is asked for their proofs."""

    base_domain: str | None = Field(
        default=None,
        description="The domain below which stores have subdomains without a proof, such as shops.example. All of its "
        "names must lead to this installation.",
    )
    nameservers: NameList = Field(
        default=[],
        description="The IP addresses of the resolvers that are asked for proofs, each with :port if it is not 53; by "
        "default those of the system.",
    )

    @field_validator("base_domain")
    @classmethod
    def _check_base_domain(cls, name: str | None) -> str | None:
        if name is None:
            return None
        if (parsed := to_host_name(name)) is None:
            raise ValueError("must be a domain such as shops.example")
        return parsed

    @field_validator("nameservers")
    @classmethod
    def _check_nameservers(cls, names: list[str]) -> list[str]:
        if len(names) > MAX_NAMESERVERS:
            raise ValueError(f"must be at most {MAX_NAMESERVERS}")
        for name in names:
            parse_nameserver(name)
        return names


def parse_nameserver(text: str) -> tuple[str, int]:
    """Return the address and the port of a resolver. Raises ``ValueError``."""
    host, colon, port = text.rpartition(":") if text.count(":") == 1 else (text, "", "")
    return str(ip_address(host)), int(port) if colon else 53


def get_settings() -> DomainsSettings:
    return runtime.settings_of(DomainsSettings)
