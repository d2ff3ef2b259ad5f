"""The settings of core and plugins with their values and sources; secrets are masked."""

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import SecretStr
from pydantic_settings import BaseSettings

from comanda.basics.connection_urls import MASK, mask_password
from comanda.contracts.registry import Registry
from comanda.platform import data_folder
from comanda.platform.settings import Settings, get_prefix, list_variables

SECRET_WORDS = frozenset({"secret", "password", "key", "token"})


class SettingSource(StrEnum):
    """The source of a value."""

    COMMAND_LINE = "command line"
    ENVIRONMENT = "environment"
    FILE = "file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class EffectiveSetting:
    """A setting with its current value. ``variables`` are its environment variables, the preferred one first."""

    plugin: str
    name: str
    variables: tuple[str, ...]
    value: Any
    default: Any
    source: SettingSource
    description: str

    def record(self) -> dict[str, Any]:
        """Return the setting for JSON output."""
        return {
            "plugin": self.plugin,
            "name": self.name,
            "variable": self.variables[0],
            "aliases": list(self.variables[1:]),
            "value": self.value,
            "default": self.default,
            "source": self.source.value,
            "description": self.description,
        }


def list_settings(
    settings: Settings, registry: Registry, given: Collection[str] = frozenset()
) -> list[EffectiveSetting]:
    """Return core's settings, then each plugin's. ``given`` names those of core set on the command line."""
    found = list(_list_rows("core", "COMANDA_", settings, given))
    for kind, plugin in registry.settings_plugins.items():
        found += _list_rows(plugin, get_prefix(plugin), registry.settings[kind], frozenset())
    return found


def list_known_variables(registry: Registry) -> set[str]:
    """Return the names of all environment variables that settings are read from."""
    kinds: dict[type[BaseSettings], str] = {Settings: "COMANDA_"}
    kinds |= {kind: get_prefix(plugin) for kind, plugin in registry.settings_plugins.items()}
    return {
        variable
        for kind, prefix in kinds.items()
        for variables in list_variables(kind, prefix).values()
        for variable in variables
    }


def _list_rows(plugin: str, prefix: str, settings: BaseSettings, given: Collection[str]) -> Iterator[EffectiveSetting]:
    variables = list_variables(type(settings), prefix)
    # Like pydantic: case-insensitive, and blank values are ignored.
    environment = {name.upper() for name, value in os.environ.items() if value.strip()}
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        yield EffectiveSetting(
            plugin=plugin,
            name=name,
            variables=variables[name],
            value=_mask_value(name, value),
            default=_mask_value(name, field.get_default(call_default_factory=True)),
            source=_find_source(name, value, variables[name], environment, given),
            description=field.description or "",
        )


def _find_source(
    name: str, value: object, variables: tuple[str, ...], environment: Collection[str], given: Collection[str]
) -> SettingSource:
    if name in given:
        return SettingSource.COMMAND_LINE
    if any(variable in environment for variable in variables):
        return SettingSource.ENVIRONMENT
    if name == "data" and value == data_folder.read_choice():
        return SettingSource.FILE
    return SettingSource.DEFAULT


def _mask_value(name: str, value: Any) -> Any:
    """Return a value for JSON output, with secrets masked."""
    if value is None:
        return None
    if isinstance(value, SecretStr) or (isinstance(value, str) and name.rpartition("_")[2] in SECRET_WORDS):
        return MASK
    if isinstance(value, str):
        return mask_password(value) if "://" in value else value
    if isinstance(value, list | tuple | set | frozenset):
        return [_mask_value(name, inner) for inner in value]
    if isinstance(value, Mapping):
        return {str(key): _mask_value(str(key), inner) for key, inner in value.items()}
    return value if isinstance(value, bool | int | float) else str(value)
