"""The collector that the environment names."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from comanda.basics import LazyModule
from comanda.contracts import Tracing

if TYPE_CHECKING:
    from comanda_opentelemetry.services import recorder
else:
    # Processes without a collector are spared the SDK.
    recorder = LazyModule("comanda_opentelemetry.services.recorder")

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


def list_tracing() -> Sequence[Tracing]:
    """List how spans are recorded: not at all without a collector."""
    return [recorder.Recorder().to_tracing()] if any(os.environ.get(name) for name in ENDPOINTS) else []
