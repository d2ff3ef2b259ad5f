"""Traces for the operator's OpenTelemetry collector."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from comanda import hookimpl
from comanda.basics import LazyModule
from comanda.contracts import Chapter, PluginSettings, Tracing

from comanda_opentelemetry.settings import OpentelemetrySettings, names_collector

if TYPE_CHECKING:
    from comanda_opentelemetry.services import recorder
else:
    # Processes without a collector are spared the SDK.
    recorder = LazyModule("comanda_opentelemetry.services.recorder")


@hookimpl
def register_settings() -> type[PluginSettings]:
    return OpentelemetrySettings


@hookimpl
def register_tracing() -> Sequence[Tracing]:
    return [recorder.Recorder().to_tracing()] if names_collector() else []


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Traces for an OpenTelemetry collector: how they are turned on, what they hold and what they leave out."
    return [Chapter("tracing", "Traces", summary, "comanda_opentelemetry", "docs/tracing.md")]
