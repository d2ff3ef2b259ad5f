"""The data folder: its default location, and the choice that `comanda run --data` saves for later commands."""

import os
from contextlib import suppress
from pathlib import Path

DEFAULT_FOLDER = Path(".comanda")
# Inside the default folder, so that it belongs to one checkout and is deleted with it.
CHOICE_FILE = DEFAULT_FOLDER / "chosen-folder"


def create_folder(folder: Path) -> None:
    """Create a data folder that others can traverse, as the account of an embedded PostgreSQL must, but not list."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        # Left as its owner made it; another process may also have been the first.
        if not folder.is_dir():
            raise
    else:
        folder.chmod(0o711)


def has_database(folder: Path) -> bool:
    """Return whether a data folder has an embedded database, even one whose files lie elsewhere and are gone."""
    cluster = folder / "postgres"
    return cluster.is_symlink() or cluster.exists()


def save_choice(folder: Path) -> None:
    """Save ``folder`` as the default for commands started in this working directory."""
    if folder.resolve() == DEFAULT_FOLDER.resolve():
        delete_choice()
        return
    create_folder(DEFAULT_FOLDER)
    draft = CHOICE_FILE.with_suffix(f".{os.getpid()}")
    draft.write_text(f"{folder.resolve()}\n", encoding="utf-8")
    draft.replace(CHOICE_FILE)


def delete_choice() -> None:
    """Delete the saved choice, so that commands use the default folder again."""
    CHOICE_FILE.unlink(missing_ok=True)


def read_choice() -> Path | None:
    """Return the folder saved for this working directory, or None if there is none or it no longer exists."""
    with suppress(OSError, UnicodeDecodeError):
        folder = Path(CHOICE_FILE.read_text(encoding="utf-8").strip())
        if folder.is_absolute() and folder.is_dir():
            return folder
    return None
