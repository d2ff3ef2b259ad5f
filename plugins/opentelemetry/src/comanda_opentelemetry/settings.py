"""The operator's settings, prefixed ``COMANDA_OPENTELEMETRY_``. All others are OpenTelemetry's own, ``OTEL_…``."""

from comanda.contracts import PluginSettings
from pydantic import Field


class OpentelemetrySettings(PluginSettings):
    """Whose traces are continued."""

    continue_traces: bool = Field(
        default=False,
        description="Whether a request continues the trace that its `traceparent` names, and leaves it to its caller "
        "whether it is sampled: for installations behind a gateway that sets the header itself. Otherwise each request "
        "begins a trace, which links to that of its caller.",
    )
