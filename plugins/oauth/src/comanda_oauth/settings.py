"""The operator's settings of the authorization server, prefixed ``COMANDA_OAUTH_``."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field


class OAuthSettings(PluginSettings):
    """How programs become clients beside those that developers register."""

    registration: bool = Field(
        default=False, description="Whether any program may register itself as a client (RFC 7591)."
    )
    metadata_documents: bool = Field(
        default=True, description="Whether a client may be known by the address of its metadata document."
    )
    requests_per_minute: int = Field(
        default=120, ge=1, description="Requests that one client address may send to the OAuth endpoints per minute."
    )


def get_settings() -> OAuthSettings:
    return runtime.settings_of(OAuthSettings)
