"""Settings of core, read from the environment and overridden by the command line."""

from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AliasChoices, BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from comanda.startup import InvalidSettings


def _split(value: Any) -> Any:
    return [name for part in value.split(",") if (name := part.strip())] if isinstance(value, str) else value


# In the environment, names with commas between them.
Names = Annotated[list[str], NoDecode, BeforeValidator(_split)]


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
    disabled_plugins: Names = []
    requests_per_minute: int = Field(default=120, ge=1)
    body_limit_bytes: int = Field(default=1_048_576, ge=1024)
    body_timeout_seconds: float = Field(default=30, gt=0)
    statement_timeout_seconds: float = Field(default=10, gt=0)
    pool_size: int = Field(default=10, ge=2)
    cors_origins: Names = Field(default=[], description="Origins that may call owner routes from a browser.")
    mcp_allowed_hosts: Names = Field(default=[], description="Further host names that MCP servers answer to.")
    mcp_public_origins: Names = Field(default=[], description="Origins whose pages may call public MCP servers.")
    mcp_messages_per_minute: int = Field(default=240, ge=1)
    mcp_calls_per_minute: int = Field(default=60, ge=1, description="Tool calls of one token.")
    mcp_public_calls_per_minute: int = Field(default=30, ge=1, description="Tool calls of one address without token.")
    trusted_proxies: int = Field(default=0, ge=0, description="How many proxies in front add to X-Forwarded-For.")
    audit_log_days: int = Field(default=400, ge=1, description="How long entries of the audit log are kept.")
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
