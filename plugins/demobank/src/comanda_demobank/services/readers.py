"""The card readers of the demo bank: each is a page, which another tablet shows."""

from typing import Final

from comanda.contracts import CardReader, PaymentAccount, PaymentDeclined
from comanda.platform import runtime
from comanda.platform.db import sql

from comanda_demobank.services.charges import create_reference, parse_owner

MAX_READERS: Final = 50
INSERT_READER: Final = """
    INSERT INTO demobank_reader (owner_id, account_id, reference, name)
    SELECT $1, $2::bigint, $3, $4::varchar
    WHERE (SELECT count(*) FROM demobank_reader WHERE owner_id = $1 AND account_id = $2::bigint) < $5
    RETURNING reference, name, is_online
"""
SELECT_READERS: Final = """
    SELECT reference, name, is_online FROM demobank_reader WHERE owner_id = $1 AND account_id = $2 ORDER BY id
"""
SELECT_READER: Final = "SELECT reference, name, is_online FROM demobank_reader WHERE owner_id = $1 AND reference = $2"
RENAME_READER: Final = """
    UPDATE demobank_reader SET name = $4 WHERE owner_id = $1 AND account_id = $2 AND reference = $3
    RETURNING reference, name, is_online
"""
SWITCH_READER: Final = "UPDATE demobank_reader SET is_online = $3 WHERE owner_id = $1 AND reference = $2"
DELETE_READER: Final = "DELETE FROM demobank_reader WHERE owner_id = $1 AND account_id = $2 AND reference = $3"


class DemoReaders:
    """Manages readers, which need no code."""

    async def list_readers(self, account: PaymentAccount) -> list[CardReader]:
        return await list_readers(account)

    async def register_reader(self, account: PaymentAccount, code: str, name: str) -> CardReader:
        """Add a reader; any code will do."""
        reference = create_reference(account.owner_id)
        row = await sql.fetch_one(INSERT_READER, account.owner_id, account.id, reference, name, MAX_READERS)
        if row is None:
            raise PaymentDeclined(f"The demo bank has at most {MAX_READERS} card readers for each account.")
        return _to_reader(row)

    async def rename_reader(self, account: PaymentAccount, reference: str, name: str) -> CardReader:
        row = await sql.fetch_one(RENAME_READER, account.owner_id, account.id, reference, name)
        if row is None:
            raise PaymentDeclined("The account has no such card reader.")
        return _to_reader(row)

    async def remove_reader(self, account: PaymentAccount, reference: str) -> None:
        await sql.execute(DELETE_READER, account.owner_id, account.id, reference)


async def list_readers(account: PaymentAccount) -> list[CardReader]:
    """Return the readers of an account, the oldest first."""
    rows = await sql.fetch(SELECT_READERS, account.owner_id, account.id)
    return [_to_reader(row) for row in rows]


async def get_reader(reference: str) -> CardReader:
    """Return a reader. Raises ``NotFound``, and always outside development."""
    row = await sql.require_one(SELECT_READER, parse_owner(reference), reference)
    return _to_reader(row)


async def switch_reader(reference: str, *, is_online: bool) -> None:
    """Connect or disconnect a reader. Raises like ``get_reader``."""
    await sql.execute(SWITCH_READER, parse_owner(reference), reference, is_online)


def _to_reader(row: sql.Row) -> CardReader:
    url = f"{runtime.settings().site_url}/demobank-readers/{row['reference']}"
    return CardReader(row["reference"], row["name"], row["is_online"], url)
