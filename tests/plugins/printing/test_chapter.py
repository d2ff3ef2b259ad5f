"""The chapter says what is."""

from pathlib import Path

import comanda_printing
import pytest
from chapters import check, examples
from comanda_printing.models import PrinterKind
from comanda_printing.plugin import register_docs
from comanda_printing.schemas import PORTS

CHAPTER = (Path(comanda_printing.__file__).parent / "docs" / "printing.md").read_text()


def test_the_chapter_names_every_kind_and_the_ports():
    assert all(f"| `{kind}` |" in CHAPTER for kind in PrinterKind)
    assert f"ports {PORTS.start} to {PORTS.stop - 1}" in CHAPTER


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_the_documented_response(client, shop, command, shown):
    await check(client, command, shown, {"OWNER_TOKEN": shop.owner.token, "STORE_ID": shop.id})
