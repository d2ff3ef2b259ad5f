"""The process that checks one theme: JSON in, JSON out, with limits that the system enforces.

``isolation`` starts it as ``python -m comanda_themes.services.checks.worker``. It opens no connection and reads no
settings.
"""

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from comanda.basics import LazyModule, lower_process_priority, set_process_limits

from comanda_themes.services.liquid.limits import MAX_CPU_SECONDS, MAX_MEMORY_BYTES

if TYPE_CHECKING:
    from comanda_themes.services.checks import validation
else:
    # Imported within the limits.
    validation = LazyModule("comanda_themes.services.checks.validation")

OUT_OF_MEMORY: Final = 3


def set_limits() -> None:
    """Set the system's limits on the processor time and memory of this process."""
    lower_process_priority()
    set_process_limits(memory_bytes=MAX_MEMORY_BYTES, cpu_seconds=MAX_CPU_SECONDS)


def main() -> int:
    """Check the theme on standard input and return the exit code."""
    set_limits()
    try:
        theme = json.load(sys.stdin)
        report = validation.validate_theme(theme["files"], theme["item_fields"])
        sys.stdout.write(json.dumps(asdict(report)))
    except MemoryError:
        return OUT_OF_MEMORY
    return 0


if __name__ == "__main__":
    sys.exit(main())
