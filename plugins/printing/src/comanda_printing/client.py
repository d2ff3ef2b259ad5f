"""Printers in the network of the installation, by ESC/POS over TCP."""

import asyncio
from typing import Final, Protocol

from comanda.web import N_

from comanda_printing import settings
from comanda_printing.models import PrinterState

NOT_ALLOWED: Final = N_("This server may not connect to printers at this address.")
NO_ANSWER: Final = N_("The printer does not answer at its address.")
NO_CONFIRMATION: Final = N_("The printer did not confirm that it has printed.")
CONNECT_SECONDS: Final = 4.0
# A long ticket takes some seconds, and the answer comes after its last line.
PRINT_SECONDS: Final = 12.0
# GS r 1: transmit the state of the paper, once everything before it is printed. DLE EOT 4 would answer at once.
ASK_PAPER: Final = b"\x1dr\x01"
PAPER_LOW: Final = 0x03
PAPER_OUT: Final = 0x0C
# Bits of an answer to GS r that are always 0; another byte is an answer to something else.
FIXED_BITS: Final = 0x90


class PrinterUnreachable(Exception):
    """A printer did not confirm what it should print; ``was_sent`` is whether it may have received it."""

    def __init__(self, message: str, *, was_sent: bool) -> None:
        super().__init__(message)
        self.was_sent = was_sent

    def __repr__(self) -> str:
        """Return the sentence alone, which people read with the job."""
        return str(self)


class NetworkPrinter(Protocol):
    """Prints on printers in the network."""

    async def print(self, host: str, port: int, document: bytes) -> PrinterState:
        """Print, and return the printer's state once it has confirmed it. Raises ``PrinterUnreachable``."""


class TcpPrinter:
    """Prints over TCP, at addresses of the networks that the operator allows."""

    async def print(self, host: str, port: int, document: bytes) -> PrinterState:
        """Print, and return the printer's state once it has confirmed it. Raises ``PrinterUnreachable``."""
        if not settings.allows_address(host):
            raise PrinterUnreachable(NOT_ALLOWED, was_sent=False)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                reader, writer = await asyncio.open_connection(host, port)
        except (OSError, TimeoutError) as error:
            raise PrinterUnreachable(NO_ANSWER, was_sent=False) from error
        try:
            async with asyncio.timeout(PRINT_SECONDS):
                writer.write(document + ASK_PAPER)
                await writer.drain()
                answer = await reader.readexactly(1)
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            raise PrinterUnreachable(NO_CONFIRMATION, was_sent=True) from error
        finally:
            writer.close()
        return _parse_state(answer[0])


def _parse_state(answer: int) -> PrinterState:
    if answer & FIXED_BITS:
        return PrinterState.UNKNOWN
    if answer & PAPER_OUT == PAPER_OUT:
        return PrinterState.PAPER_OUT
    return PrinterState.PAPER_LOW if answer & PAPER_LOW == PAPER_LOW else PrinterState.READY
