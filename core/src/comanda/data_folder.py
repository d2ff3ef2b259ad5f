"""The data folder: its default place, and the one that `comanda run --data` chose for the commands that follow it."""

import os
from contextlib import suppress
from pathlib import Path

DEFAULT = Path(".comanda")
# In the default place, so that it belongs to one checkout and goes when that is deleted.
POINTER = DEFAULT / "chosen-folder"


def make(folder: Path) -> None:
    """Create a data folder that the account of an embedded PostgreSQL can pass through, and nobody else can list."""
    if not folder.exists():
        folder.mkdir(parents=True)
        folder.chmod(0o711)


def remember(folder: Path) -> None:
    """Make commands started in this working directory use ``folder`` unless they are given another."""
    if folder.resolve() == DEFAULT.resolve():
        forget()
        return
    make(DEFAULT)
    draft = POINTER.with_suffix(f".{os.getpid()}")
    draft.write_text(f"{folder.resolve()}\n", encoding="utf-8")
    draft.replace(POINTER)


def forget() -> None:
    """Make commands use the default place again."""
    POINTER.unlink(missing_ok=True)


def remembered() -> Path | None:
    """Return the folder that was chosen in this working directory, or None if there is none or it is gone."""
    with suppress(OSError, UnicodeDecodeError):
        folder = Path(POINTER.read_text(encoding="utf-8").strip())
        if folder.is_absolute() and folder.is_dir():
            return folder
    return None
