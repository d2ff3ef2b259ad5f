"""Messages through the library apprise, which blocks: in a bounded number of threads, without redirects."""

import asyncio
import logging
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import quote

from comanda.basics import LazyModule
from comanda.contracts import OutgoingMessage, Undeliverable

from comanda_apprise.settings import RECIPIENT_PLACEHOLDER

if TYPE_CHECKING:
    import apprise
else:
    # Takes 25 MiB of memory, and seconds at its first use, which only a process that sends messages spends.
    apprise = LazyModule("apprise")

Result = TypeVar("Result")

# A thread that hangs outlives its attempt; no more than these can.
MAX_THREADS: Final = 20
STATUS: Final = re.compile(r"error=(\d{3})")
# What the service will not take however often it is sent.
PERMANENT_STATUSES: Final = (400, 422)
# The services of owners, and the module of apprise for each: those that have one host, which no part of a URL changes.
MODULES: Final = {
    "46elks": "fortysixelks",
    "bulksms": "bulksms",
    "clicksend": "clicksend",
    "msgbird": "messagebird",
    "seven": "seven",
    "sinch": "sinch",
    "telnyx": "telnyx",
    "twilio": "twilio",
    "vonage": "vonage",
}

_threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="apprise")


class ServiceRefused(Exception):
    """The service did not take a message, which is sent again later."""


async def send(url: str, message: OutgoingMessage) -> None:
    """Send a message through any service. Raises ``Undeliverable`` and ``ServiceRefused``."""
    await _run(lambda: _notify(_create_any_service, url, message))


async def send_as_owner(url: str, message: OutgoingMessage) -> None:
    """Send a message through one of the services for owners. Raises ``Undeliverable`` and ``ServiceRefused``."""
    await _run(lambda: _notify(_create_fixed_service, url, message))


async def is_usable_by_owner(url: str) -> bool:
    """Return whether a URL of an owner is complete: a message to one number would go to that number alone."""
    return bool(await _run(lambda: _count_recipients(url) == 1))


async def _run(work: Callable[[], Result]) -> Result:
    return await asyncio.get_running_loop().run_in_executor(_threads, work)


def _count_recipients(url: str) -> int:
    service = _create_fixed_service(_fill(url, "+351912345678"))
    return 0 if service is None else len(service.targets)


def _notify(create: Callable[[str], Any], url: str, message: OutgoingMessage) -> None:
    with _collect_log() as lines:
        service = create(_fill(url, message.to))
        if service is None:
            raise ServiceRefused("The URL of the service is not valid.")
        # Without a recipient that it understands, a service may send to its own number.
        if len(getattr(service, "targets", [message.to])) != 1:
            raise Undeliverable("The service does not take this recipient.")
        is_accepted = service.notify(body=message.text, title=message.subject or "")
    if not is_accepted:
        _raise_refusal(lines)


def _raise_refusal(lines: list[str]) -> None:
    found = next((match for line in lines if (match := STATUS.search(line))), None)
    if found is None:
        raise ServiceRefused("The service could not be reached, or did not take the message.")
    status = int(found[1])
    if status in PERMANENT_STATUSES:
        raise Undeliverable(f"The service refuses the message: {status}.")
    raise ServiceRefused(f"The service answered {status}.")


def _fill(url: str, to: str) -> str:
    return url.replace(RECIPIENT_PLACEHOLDER, quote(to, safe=""))


def _create_any_service(url: str) -> Any:
    return apprise.Apprise.instantiate(url, asset=_create_asset())


def _create_fixed_service(url: str) -> Any:
    """Return a service for owners, without loading all others, or None."""
    scheme = url.partition("://")[0]
    if (module := MODULES.get(scheme)) is None:
        return None
    kind = _find_class(import_module(f"apprise.plugins.{module}"), scheme)
    parts = kind.parse_url(url)
    try:
        return None if parts is None else kind(**parts, asset=_create_asset())
    except TypeError:  # AppriseImproperlyConfigured, and what a URL without its parts leads to
        return None


def _find_class(module: Any, scheme: str) -> Any:
    for found in vars(module).values():
        schemes = getattr(found, "secure_protocol", None)
        if schemes and scheme in ((schemes,) if isinstance(schemes, str) else schemes):
            return found
    raise LookupError(scheme)


def _create_asset() -> Any:
    # A redirect would lead to a host that nobody has allowed.
    return apprise.AppriseAsset(async_mode=False, http_redirects=False)


class _ThreadLog(logging.Handler):
    """Collects what this thread logs: other threads send messages of other owners."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread == self._thread:
            self.lines.append(record.getMessage())


@contextmanager
def _collect_log() -> Iterator[list[str]]:
    logger, handler = logging.getLogger("apprise"), _ThreadLog()
    logger.addHandler(handler)
    try:
        yield handler.lines
    finally:
        logger.removeHandler(handler)
