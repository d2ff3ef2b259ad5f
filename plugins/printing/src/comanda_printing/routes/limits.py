"""What printers may ask for: by the code in their address, so often, and no more than their protocols need."""

from collections.abc import Mapping
from typing import Final

from comanda.basics import BadRequest, NotFound
from comanda.contracts import Call

from comanda_printing.models import PrinterKind
from comanda_printing.records import KnownPrinter
from comanda_printing.services.known_printers import find_printer

MAX_BODY_BYTES: Final = 64 * 1024
# A printer polls every second at most, and a job takes two more requests.
CALLS_PER_MINUTE: Final = 240
WRONG_CODES_PER_MINUTE: Final = 30
NO_STORE: Final[Mapping[str, str]] = {"Cache-Control": "no-store"}


async def admit_printer(call: Call, code: str, kind: PrinterKind) -> KnownPrinter:
    """Return the printer that calls, and count its call. Raises ``NotFound``, ``LimitExceeded``, ``BadRequest``."""
    if len(call.body) > MAX_BODY_BYTES:
        raise BadRequest("The body is larger than a printer's.")
    try:
        printer = await find_printer(code, kind)
    except NotFound:
        await call.count(f"printing:unknown:{call.client_network}", WRONG_CODES_PER_MINUTE)
        raise
    await call.count(f"printing:{printer.id}", CALLS_PER_MINUTE, is_exact=False)
    return printer
