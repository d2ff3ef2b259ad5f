"""Traces for the operator's OpenTelemetry collector."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, PluginSettings, Tracing

from comanda_opentelemetry.services.collectors import list_tracing
from comanda_opentelemetry.settings import OpentelemetrySettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    return OpentelemetrySettings


@hookimpl
def register_tracing() -> Sequence[Tracing]:
    return list_tracing()


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Traces for an OpenTelemetry collector: how they are turned on, what they hold and what they leave out."
    return [Chapter("tracing", "Traces", summary, "comanda_opentelemetry", "docs/tracing.md")]
