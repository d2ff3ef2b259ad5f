"""Checks of themes: one at a time, each in a process of its own."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from comanda.basics import Unavailable
from comanda.platform import runtime

from comanda_themes.services.checks import isolation
from comanda_themes.services.liquid.findings import CheckReport

# One theme at a time, so that checks leave a processor to orders; further requests are refused.
MAX_WAITING: Final = 4

_executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="theme-check")


def list_item_fields() -> frozenset[str]:
    """Return the names of the fields of all installed item capabilities."""
    capabilities = runtime.registry().item_capabilities.values()
    return frozenset(name for capability in capabilities for name in capability.fields.model_fields)


@dataclass(slots=True)
class _Queue:
    waiting: int = 0


_queue = _Queue()


async def check_theme(files: Mapping[str, str]) -> CheckReport:
    """Check a theme in its own process. Raises ``Unavailable`` if too many are waiting, and ``ThemeTooComplex``."""
    if _queue.waiting >= MAX_WAITING:
        raise Unavailable("Other themes are being checked. Try again shortly.", retry_after_seconds=5)
    _queue.waiting += 1
    try:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_executor, isolation.check_theme, files, list_item_fields())
    finally:
        _queue.waiting -= 1
