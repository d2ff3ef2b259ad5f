"""Settings of core, read from the environment and overridden by the command line."""

import binascii
from base64 import b64decode
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from comanda.photos.storage.types import parse_address
from comanda.startup import InvalidSettings

# No setting allows larger photos: so much of a body is read before it is known whose it is.
MAX_PHOTO_BYTES = 16 * 1024 * 1024


def _split(value: Any) -> Any:
    return [name for part in value.split(",") if (name := part.strip())] if isinstance(value, str) else value


def decode_secret_key(text: str) -> bytes:
    """Return the 32 bytes of an encryption key. Raises ``ValueError``."""
    try:
        raw = b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("A key must be the base64 of 32 bytes; `comanda secrets generate` prints one.") from error
    if len(raw) != 32:
        raise ValueError("A key must be the base64 of 32 bytes; `comanda secrets generate` prints one.")
    return raw


def _check_secret_key(key: SecretStr) -> SecretStr:
    decode_secret_key(key.get_secret_value())
    return key


def _storage_address(value: str) -> str:
    parse_address(value)
    return value


# In the environment, names with commas between them.
Names = Annotated[list[str], NoDecode, BeforeValidator(_split)]
SecretKeys = Annotated[list[Annotated[SecretStr, AfterValidator(_check_secret_key)]], NoDecode, BeforeValidator(_split)]


class Settings(BaseSettings):
    """What an operator decides for one installation. Every name is also ``COMANDA_<NAME>`` in the environment."""

    model_config = SettingsConfigDict(env_prefix="COMANDA_", populate_by_name=True, extra="ignore")

    database_url: str | None = Field(
        default=None,
        validation_alias=AliasChoices("DATABASE_URL", "COMANDA_DATABASE_URL"),
        description="PostgreSQL 15 or newer. Unset: an embedded PostgreSQL in the data folder.",
    )
    redis_url: str | None = Field(
        default=None,
        validation_alias=AliasChoices("REDIS_URL", "COMANDA_REDIS_URL"),
        description="Redis or Valkey. Unset: limits and tasks in memory, which allows one process.",
    )
    data: Path = Field(default=Path(".comanda"), validation_alias=AliasChoices("DATA", "COMANDA_DATA"))
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65535, validation_alias=AliasChoices("PORT", "COMANDA_PORT"))
    public_url: str | None = Field(default=None, description="The address clients use, without a path.")
    development: bool = Field(default=False, description="Allows what only a developer wants, such as local receivers.")
    secret_keys: SecretKeys = Field(
        default=[],
        description="Keys of secrets in the database, with commas between them; the first encrypts. Unset: a key file.",
    )
    disabled_plugins: Names = []
    requests_per_minute: int = Field(default=120, ge=1)
    body_limit_bytes: int = Field(default=1_048_576, ge=1024)
    body_timeout_seconds: float = Field(default=30, gt=0)
    discard_limit_bytes: int = Field(default=65_536, ge=0, description="What is read of a body that nobody needs.")
    header_timeout_seconds: float = Field(default=20, gt=0)
    send_timeout_seconds: float = Field(default=30, gt=0)
    max_connections: int = Field(default=2000, ge=1, description="Connections of one process.")
    max_connections_per_address: int = Field(default=256, ge=0, description="0: any number. Without proxies only.")
    statement_timeout_seconds: float = Field(default=10, gt=0)
    startup_timeout_seconds: float = Field(
        default=60, ge=0, description="How long starting processes wait for a database that does not answer yet."
    )
    pool_size: int = Field(default=10, ge=2)
    login_codes_per_address: int = Field(
        default=40,
        ge=3,
        description="Login codes to one phone or e-mail a day, over all stores, before they slow down.",
    )
    cors_origins: Names = Field(default=[], description="Origins that may call owner routes from a browser.")
    mcp_allowed_hosts: Names = Field(default=[], description="Further host names that MCP servers answer to.")
    mcp_public_origins: Names = Field(default=[], description="Origins whose pages may call public MCP servers.")
    mcp_messages_per_minute: int = Field(default=240, ge=1)
    mcp_calls_per_minute: int = Field(default=60, ge=1, description="Tool calls of one token.")
    mcp_public_calls_per_minute: int = Field(default=30, ge=1, description="Tool calls of one address without token.")
    trusted_proxies: int = Field(default=0, ge=0, description="How many proxies in front add to X-Forwarded-For.")
    metrics_token: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Bearer token that /metrics and the details of /readyz need. Unset: this machine alone sees them.",
    )
    photo_storage: Annotated[str, AfterValidator(_storage_address)] = Field(
        default="database", description="Where photos are kept: database, folder:/path or s3://bucket/prefix."
    )
    photo_limit_bytes: int = Field(
        default=8_388_608, ge=65_536, le=MAX_PHOTO_BYTES, description="Larger uploads of photos are refused."
    )
    max_order_total_minor: int = Field(
        default=10**12, ge=1, le=10**15, description="What one order may come to, in minor units of its currency."
    )
    log_level: str = "info"
    log_format: str = Field(default="auto", pattern="^(auto|json|console)$")

    @property
    def site_url(self) -> str:
        """The host root of every link and of the API, without a trailing slash."""
        return (self.public_url or f"http://localhost:{self.port}").rstrip("/")


class PluginSettings(BaseSettings):
    """Base of a plugin's settings. Core sets the prefix ``COMANDA_<PLUGIN>_`` when it reads them."""

    model_config = SettingsConfigDict(extra="ignore")


P = TypeVar("P", bound=BaseSettings)


def read(kind: type[P], prefix: str = "COMANDA_", **overrides: Any) -> P:
    """Read settings of ``kind`` from the environment; ``overrides`` that are not None win."""
    given: dict[str, Any] = {name: value for name, value in overrides.items() if value is not None}
    try:
        return kind(_env_prefix=prefix, **given)
    except SettingsError as error:
        raise InvalidSettings(f"Settings cannot be read: {error}.") from error
    except ValidationError as error:
        problems = "; ".join(
            f"{prefix}{'_'.join(map(str, problem['loc'])).upper().removeprefix(prefix)}: {problem['msg']}"
            for problem in error.errors()
        )
        raise InvalidSettings(f"Settings do not validate. {problems}") from error
