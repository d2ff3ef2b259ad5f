"""Mollie's terminals, driven by the server: a payment of the method ``pointofsale`` asks for a card on one."""

from typing import TYPE_CHECKING, Final

from comanda.contracts import CardReader, PaymentAccount, PaymentDeclined

from comanda_mollie.client import MAX_PER_PAGE, get_next_page, open_client

if TYPE_CHECKING:
    import mollie

ACTIVE: Final = "active"
MANAGED_AT_MOLLIE: Final = "Terminals are ordered, named and returned in Mollie, under Point of sale."
NOT_ACTIVE: Final = "The terminal is not active at Mollie."
MAX_NAME_LENGTH: Final = 100


class MollieTerminals:
    """Lists the terminals of a profile, which are managed at Mollie alone."""

    async def list_readers(self, account: PaymentAccount) -> list[CardReader]:
        """Return the terminals of the profile."""
        found: list[CardReader] = []
        async with open_client(account) as client:
            page = await client.terminals.list_async(limit=MAX_PER_PAGE)
            while page is not None:
                found += [_to_reader(each) for each in page.result.embedded.terminals or ()]
                page = await get_next_page(page)
        return found

    async def register_reader(self, account: PaymentAccount, code: str, name: str) -> CardReader:
        """Raise ``PaymentDeclined``: Mollie sends terminals, and registers them."""
        raise PaymentDeclined(MANAGED_AT_MOLLIE)

    async def rename_reader(self, account: PaymentAccount, reference: str, name: str) -> CardReader:
        """Raise ``PaymentDeclined``: Mollie's interface cannot."""
        raise PaymentDeclined(MANAGED_AT_MOLLIE)

    async def remove_reader(self, account: PaymentAccount, reference: str) -> None:
        """Raise ``PaymentDeclined``: Mollie's interface cannot."""
        raise PaymentDeclined(MANAGED_AT_MOLLIE)


async def check_terminal(client: "mollie.ClientSDK", reference: str) -> None:
    """Raise ``PaymentDeclined`` unless a terminal takes payments."""
    terminal = await client.terminals.get_async(terminal_id=reference)
    if terminal.status != ACTIVE:
        raise PaymentDeclined(NOT_ACTIVE)


def _to_reader(terminal: "mollie.ListEntityTerminal") -> CardReader:
    name = terminal.description or terminal.serial_number or terminal.id
    return CardReader(terminal.id, name[:MAX_NAME_LENGTH], terminal.status == ACTIVE)
