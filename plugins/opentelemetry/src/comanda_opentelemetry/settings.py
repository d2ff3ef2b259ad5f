"""The operator's settings, prefixed ``COMANDA_OPENTELEMETRY_``. All others are OpenTelemetry's own, ``OTEL_…``."""

import os
from typing import Final

from comanda.contracts import PluginSettings
from pydantic import Field

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


def names_collector() -> bool:
    """Return whether the environment names a collector."""
    return any(os.environ.get(name) for name in ENDPOINTS)


class OpentelemetrySettings(PluginSettings):
    """Whose traces are continued."""

    continue_traces: bool = Field(
        default=False,
        description="Whether a request continues the trace that its `traceparent` names, and leaves it to its caller "
        "whether it is sampled: for installations behind a gateway that sets the header itself. Otherwise each request "
        "begins a trace, which links to that of its caller.",
    )
