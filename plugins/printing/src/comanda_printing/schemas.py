"""Bodies and queries of printers and jobs."""

from ipaddress import ip_address
from typing import Annotated, Literal

from comanda.contracts import Body, Id, Name, ShortText, example
from pydantic import BaseModel, Field

from comanda_printing.models import JobKind, PrinterKind
from comanda_printing.records import JobState

# Ports on which printers take commands; no other service of a network is reached through a printer.
PORTS = range(9100, 9108)
DEFAULT_PORT = 9100
CodePage = Literal["cp437", "cp850", "cp852", "cp858", "cp866", "cp1252"]
Width = Literal[58, 80]
Language = Literal["en", "de", "es", "fr", "pt", "ar"]
Prints = Annotated[list[Literal["kitchen", "receipt"]], Field(max_length=2)]
StationIds = Annotated[list[Id], Field(max_length=50)]
Modes = Annotated[list[ShortText], Field(max_length=20)]
Copies = Annotated[int, Field(ge=1, le=5)]


class PrinterBody(Body):
    """A printer to register. One of the kind ``escpos_tcp`` has an ``address``: an IP address, with a port or 9100."""

    model_config = example({"name": "Kitchen", "kind": "cloudprnt", "prints": ["kitchen"]})

    name: Annotated[Name, Field(max_length=100)]
    kind: PrinterKind
    address: ShortText | None = None
    width_mm: Width = 80
    code_page: CodePage = "cp858"
    language: Language = "en"
    prints: Prints = ["kitchen"]
    station_ids: StationIds = []
    modes: Modes = []
    copies: Copies = 1
    opens_drawer: bool = False
    has_buzzer: bool = False
    fallback_id: Id | None = None


class PrinterChange(Body):
    """Changes to a printer; omitted fields stay unchanged. ``fallback_id`` null means that no other takes its jobs."""

    model_config = example({"name": "Bar", "station_ids": []})

    name: Annotated[Name, Field(max_length=100)] | None = None
    address: ShortText | None = None
    width_mm: Width | None = None
    code_page: CodePage | None = None
    language: Language | None = None
    prints: Prints | None = None
    station_ids: StationIds | None = None
    modes: Modes | None = None
    copies: Copies | None = None
    opens_drawer: bool | None = None
    has_buzzer: bool | None = None
    fallback_id: Id | None = None


class JobQuery(BaseModel):
    """Which jobs to list: of one printer, of one order, in one state."""

    printer_id: Id | None = None
    order_id: Id | None = None
    state: JobState | None = None


class PrintBody(Body):
    """What to print of an order: its receipt, or all of its lines for the kitchen."""

    model_config = example({"kind": "receipt"})

    kind: Literal[JobKind.RECEIPT, JobKind.KITCHEN]


def parse_address(text: str) -> tuple[str, int]:
    """Return the host and the port of a printer's address. Raises ``ValueError`` for what is not one."""
    try:
        return str(ip_address(text)), DEFAULT_PORT
    except ValueError:
        host, _separator, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    if not (port.isascii() and port.isdigit()) or int(port) not in PORTS:
        raise ValueError(f"The port must be one from {PORTS.start} to {PORTS.stop - 1}.")
    return str(ip_address(host)), int(port)
