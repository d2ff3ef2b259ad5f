"""Settings of core, read from the environment and overridden by the command line."""

import binascii
import os
import re
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from comanda.basics.connection_urls import check_database_url, check_redis_url
from comanda.basics.startup_errors import InvalidSettings
from comanda.contracts.settings import EnvironmentSettings, NameList, split_names
from comanda.platform import data_folder
from comanda.platform.photos.storage.types import parse_address

# No setting allows larger photos, as this much of a body is read before the caller is known.
MAX_PHOTO_BYTES = 16 * 1024 * 1024
# The origin stands in the Content-Security-Policy.
TILES_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?", re.IGNORECASE)


def decode_secret_key(text: str) -> bytes:
    """Return the 32 bytes of an encryption key. Raises ``ValueError``."""
    try:
        raw = b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("A key must be 32 bytes in base64; `comanda secrets generate` prints one.") from error
    if len(raw) != 32:
        raise ValueError("A key must be 32 bytes in base64; `comanda secrets generate` prints one.")
    return raw


def _check_secret_key(key: SecretStr) -> SecretStr:
    decode_secret_key(key.get_secret_value())
    return key


def _check_storage_address(value: str) -> str:
    parse_address(value)
    return value


def _check_tiles_url(value: str) -> str:
    parts = urlsplit(value)
    is_safe = TILES_ORIGIN.fullmatch(f"{parts.scheme}://{parts.netloc}") is not None
    if not is_safe or not all(each in value for each in ("{z}", "{x}", "{y}")):
        raise ValueError("must be of the form https://tiles.example/{z}/{x}/{y}.png")
    return value


SecretKeys = Annotated[
    list[Annotated[SecretStr, AfterValidator(_check_secret_key)]], NoDecode, BeforeValidator(split_names)
]


def _get_chosen_data_folder(environment: PydanticBaseSettingsSource) -> dict[str, Any]:
    named = environment.env_vars if isinstance(environment, EnvSettingsSource) else {}
    folder = None if {"data", "comanda_data"} & set(named) else data_folder.read_choice()
    return {} if folder is None else {"data": folder}


class Settings(EnvironmentSettings):
    """Settings of one installation. Each is read from ``COMANDA_<NAME>`` in the environment."""

    model_config = SettingsConfigDict(env_prefix="COMANDA_", populate_by_name=True, extra="ignore")

    database_url: Annotated[str, AfterValidator(check_database_url)] | None = Field(
        default=None,
        validation_alias=AliasChoices("DATABASE_URL", "COMANDA_DATABASE_URL"),
        description="PostgreSQL 15 or newer. Unset: an embedded PostgreSQL in the data folder.",
    )
    database_direct_url: Annotated[str, AfterValidator(check_database_url)] | None = Field(
        default=None,
        validation_alias=AliasChoices("DATABASE_DIRECT_URL", "COMANDA_DATABASE_DIRECT_URL"),
        description="The PostgreSQL behind DATABASE_URL, if that is a pooler in transaction mode, such as PgBouncer.",
    )
    database_replica_url: Annotated[str, AfterValidator(check_database_url)] | None = Field(
        default=None,
        validation_alias=AliasChoices("DATABASE_REPLICA_URL", "COMANDA_DATABASE_REPLICA_URL"),
        description="A streaming replica of the database, for menus, lists and reports.",
    )
    replica_wait_seconds: float = Field(
        default=0.1, ge=0, description="How long a read waits for a replica that is behind before the primary answers."
    )
    pooler_prepares_statements: bool = Field(
        default=False, description="The pooler keeps track of prepared statements, as PgBouncer 1.21 and newer can."
    )
    redis_url: Annotated[str, AfterValidator(check_redis_url)] | None = Field(
        default=None,
        validation_alias=AliasChoices("REDIS_URL", "COMANDA_REDIS_URL"),
        description="Redis or Valkey. Unset: limits and tasks in memory, which allows one process.",
    )
    data: Path = Field(
        default=data_folder.DEFAULT_FOLDER,
        validation_alias=AliasChoices("DATA", "COMANDA_DATA"),
        description="The data folder: the embedded database, and the demo's tokens.",
    )
    host: str = Field(default="127.0.0.1", description="The address to listen on; 0.0.0.0 for all addresses.")
    port: int = Field(
        default=8000,
        ge=1,
        le=65535,
        validation_alias=AliasChoices("PORT", "COMANDA_PORT"),
        description="The port to listen on.",
    )
    public_url: str | None = Field(default=None, description="The base address that clients use, without a path.")
    development: bool = Field(
        default=False, description="Allow what only developers need, such as local webhook receivers."
    )
    test_clock: bool = Field(
        default=False, description="Let time be moved forward, for tests; in development mode only."
    )
    secret_keys: SecretKeys = Field(
        default=[],
        description="Keys of secrets in the database, comma-separated; the first encrypts. Unset: a key file.",
    )
    disabled_plugins: NameList = Field(default=[], description="Installed plugins to leave out.")
    requests_per_minute: int = Field(
        default=120, ge=1, description="Requests per minute of one token, or of one address without a token."
    )
    body_limit_bytes: int = Field(
        default=1_048_576, ge=1024, description="Larger request bodies are rejected with 413."
    )
    body_timeout_seconds: float = Field(
        default=30, gt=0, description="Request bodies that take longer to arrive are rejected with 408."
    )
    discard_limit_bytes: int = Field(
        default=65_536, ge=0, description="How much of an unneeded request body is read and discarded."
    )
    header_timeout_seconds: float = Field(
        default=20, gt=0, description="Connections whose first byte or headers take longer to arrive are closed."
    )
    send_timeout_seconds: float = Field(
        default=30, gt=0, description="Clients that read nothing of their response for this long are disconnected."
    )
    max_connections: int = Field(default=2000, ge=1, description="Maximum connections of one process.")
    max_connections_per_address: int = Field(
        default=256, ge=0, description="Maximum connections of one address; 0 for no limit. Not applied behind proxies."
    )
    statement_timeout_seconds: float = Field(default=10, gt=0, description="Statements that take longer are cancelled.")
    request_timeout_seconds: float = Field(
        default=30, gt=0, description="Requests and tool calls that take longer are cancelled and answered with 503."
    )
    plugin_step_timeout_seconds: float = Field(
        default=10, gt=0, description="Steps of plugins in other work, such as an order, that take longer fail."
    )
    idle_transaction_timeout_seconds: float = Field(
        default=15, gt=0, description="Transactions in which nothing happens for this long are ended by the database."
    )
    handler_timeout_seconds: float = Field(
        default=10, gt=0, description="Event handlers that take longer are cancelled, and called again later."
    )
    startup_timeout_seconds: float = Field(
        default=60, ge=0, description="How long processes wait at startup for the database to become available."
    )
    menu_cache_mebibytes: int = Field(
        default=64, ge=1, description="Memory of one process for menus, in MiB; a menu of 50 items takes about 0.15."
    )
    pool_size: int = Field(default=10, ge=2, description="Maximum database connections of one process.")
    login_codes_per_address: int = Field(
        default=40,
        ge=3,
        description="Login codes to one phone or e-mail per day across all stores before they are throttled.",
    )
    cors_origins: NameList = Field(default=[], description="Origins that may call owner routes from a browser.")
    mcp_allowed_hosts: NameList = Field(default=[], description="Additional host names that MCP servers accept.")
    mcp_public_origins: NameList = Field(default=[], description="Origins whose pages may call public MCP servers.")
    mcp_messages_per_minute: int = Field(
        default=240, ge=1, description="MCP messages per minute of one token, or of one address on a public server."
    )
    mcp_calls_per_minute: int = Field(default=60, ge=1, description="MCP tool calls per minute of one token.")
    mcp_public_calls_per_minute: int = Field(
        default=30, ge=1, description="MCP tool calls per minute of one address without a token."
    )
    trusted_proxies: int = Field(default=0, ge=0, description="How many trusted proxies add to X-Forwarded-For.")
    audit_log_days: int = Field(default=400, ge=1, description="How many days audit log entries are kept.")
    metrics_token: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Bearer token for /metrics and the details of /readyz. Unset: only this machine sees them.",
    )
    photo_storage: Annotated[str, AfterValidator(_check_storage_address)] = Field(
        default="database", description="Where photos are stored: database, folder:/path or s3://bucket/prefix."
    )
    photo_limit_bytes: int = Field(
        default=8_388_608, ge=65_536, le=MAX_PHOTO_BYTES, description="Larger photo uploads are rejected."
    )
    max_order_total_minor: int = Field(
        default=10**12, ge=1, le=10**15, description="Maximum total of one order, in minor units of its currency."
    )
    import_items_limit: int = Field(
        default=20_000, ge=1, le=100_000, description="Maximum items of a menu that is imported."
    )
    map_tiles_url: Annotated[str, AfterValidator(_check_tiles_url)] | None = Field(
        default=None, description="The tiles behind maps, such as https://tiles.example/{z}/{x}/{y}.png. Unset: a grid."
    )
    map_attribution: str = Field(default="", max_length=200, description="Whom the tiles name as their source.")
    log_level: str = Field(
        default="info",
        pattern="^(?i:debug|info|warning|error|critical)$",
        description="debug, info, warning, error or critical.",
    )
    log_format: str = Field(
        default="auto",
        pattern="^(auto|json|console)$",
        description="json, console, or auto: lines for people on a terminal, JSON elsewhere.",
    )

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], *sources: PydanticBaseSettingsSource, **named: PydanticBaseSettingsSource
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Add the source with the lowest priority: the data folder that `comanda run --data` chose here."""
        taken = super().settings_customise_sources(settings_cls, *sources, **named)
        return (*taken, InitSettingsSource(settings_cls, _get_chosen_data_folder(taken[1])))

    @model_validator(mode="after")
    def _check_test_clock(self) -> Self:
        if self.test_clock and not self.development:
            raise ValueError("COMANDA_TEST_CLOCK moves time for everyone, and needs COMANDA_DEVELOPMENT=1.")
        return self

    @model_validator(mode="after")
    def _check_database_urls(self) -> Self:
        if self.database_direct_url is not None and self.database_url is None:
            raise ValueError("DATABASE_DIRECT_URL is the PostgreSQL behind a pooler, and needs DATABASE_URL.")
        if self.database_replica_url is not None and self.database_url is None:
            raise ValueError("DATABASE_REPLICA_URL is a replica of the PostgreSQL of DATABASE_URL, and needs it.")
        return self

    @property
    def session_url(self) -> str | None:
        """The database for what needs a session of its own: LISTEN, migrations, backups and locks of a session."""
        return self.database_direct_url or self.database_url

    @property
    def site_url(self) -> str:
        """The host root of every link and of the API, without a trailing slash."""
        return (self.public_url or f"http://localhost:{self.port}").rstrip("/")


P = TypeVar("P", bound=BaseSettings)


def get_prefix(plugin: str) -> str:
    """Return the prefix of the environment variables of a plugin's settings."""
    return f"COMANDA_{plugin.upper()}_"


def list_variables(kind: type[BaseSettings], prefix: str = "COMANDA_") -> Mapping[str, tuple[str, ...]]:
    """Return the environment variables of every setting, the preferred one first."""
    found: dict[str, tuple[str, ...]] = {}
    for name, field in kind.model_fields.items():
        alias = field.validation_alias
        choices = [str(choice) for choice in alias.choices] if isinstance(alias, AliasChoices) else []
        found[name] = tuple(choices) or (f"{prefix}{name}".upper(),)
    return found


def read_settings(kind: type[P], prefix: str = "COMANDA_", **overrides: Any) -> P:
    """Read settings of ``kind`` from the environment; ``overrides`` that are not None take precedence.

    Raises ``InvalidSettings`` with a sentence for each invalid setting, never with its value.
    """
    given: dict[str, Any] = {name: value for name, value in overrides.items() if value is not None}
    try:
        return kind(_env_prefix=prefix, **given)
    except SettingsError as error:
        raise InvalidSettings(f"Settings cannot be read: {error}.") from error
    except ValidationError as error:
        variables = list_variables(kind, prefix)
        raise InvalidSettings(" ".join(_format_problem(problem, variables) for problem in error.errors())) from error


def _format_problem(problem: ErrorDetails, variables: Mapping[str, tuple[str, ...]]) -> str:
    """Return a sentence about one invalid setting, by the name that the operator used, without its value."""
    text = problem["msg"].removeprefix("Value error, ").rstrip(".")
    if not problem["loc"]:
        return f"{text}."
    first, *rest = map(str, problem["loc"])
    names = next((names for field, names in variables.items() if first == field or first in names), (first,))
    place = ".".join([next((name for name in names if os.environ.get(name, "").strip()), names[0]), *rest])
    return f"{place} {text}." if text.startswith("must ") else f"{place}: {text}."
