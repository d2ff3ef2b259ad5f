"""What one process runs with: its settings, its registry, and where to find them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from comanda.contracts.registry import Registry
from comanda.contracts.settings import PluginSettings
from comanda.platform.settings import Settings

S = TypeVar("S", bound=PluginSettings)


@dataclass(frozen=True, slots=True)
class Runtime:
    """The settings and declarations that a process was started with; neither changes while it runs."""

    settings: Settings
    registry: Registry


class _Process:
    """What this process runs with, as it has one database."""

    runtime: Runtime | None = None


_process = _Process()


def use(runtime: Runtime | None) -> None:
    """Set the runtime of this process."""
    _process.runtime = runtime


def current() -> Runtime:
    """Return the runtime. Raises ``RuntimeError`` before startup."""
    if _process.runtime is None:
        raise RuntimeError("Comanda has not been started in this process.")
    return _process.runtime


def settings() -> Settings:
    """Return core's settings."""
    return current().settings


def registry() -> Registry:
    """Return what the installed plugins declare."""
    return current().registry


def settings_of(kind: type[S]) -> S:
    """Return a plugin's settings."""
    found = current().registry.settings[kind]
    if not isinstance(found, kind):
        raise TypeError(f"The settings of {kind.__name__} are of another class.")
    return found
