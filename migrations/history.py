"""A history: the numbered files that make and change one app's tables."""

import base64
import binascii
import importlib
import itertools
import re
import zlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Protocol

from tortoise import BaseDBAsyncClient

# aerich numbers its files: 0_20260102030405_init.py, 1_20260203040506_prices.py, …
FILE_NAME = re.compile(r"(\d+)_\w+\.py")
CORE = "core"


class MigrationError(Exception):
    """The migrations cannot be applied; the message is a sentence for the person who runs them.

    ``app`` is the app whose migrations they are, if they are one app's.
    """

    def __init__(self, message: str, app: str | None = None) -> None:
        super().__init__(message)
        self.app = app


class History(Protocol):
    """What the runner must know of one app; ``comanda.contracts.data.model_sets.ModelSet`` has this shape.

    ``app`` is the app's name and the prefix of its tables, ``modules`` are the dotted names of the modules that hold
    its models, ``migrations`` is the dotted name of the package that holds its files.
    """

    @property
    def app(self) -> str: ...

    @property
    def modules(self) -> Sequence[str]: ...

    @property
    def migrations(self) -> str: ...


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """One migration file; ``version`` is its name, as aerich's table records it."""

    number: int
    version: str
    app: str
    package: str

    def load(self) -> "Script":
        """Import the file. Raises ``MigrationError`` if it is not a migration that the runner can apply."""
        module = importlib.import_module(f"{self.package}.{self.version.removesuffix('.py')}")
        try:
            state = zlib.decompress(base64.b64decode(module.MODELS_STATE, validate=True)).decode()
            upgrade: Callable[[BaseDBAsyncClient], Awaitable[str]] = module.upgrade
        except (AttributeError, binascii.Error, zlib.error, UnicodeDecodeError) as error:
            raise MigrationError(
                f"{self} lacks upgrade() or a readable MODELS_STATE ({error}). Generate it anew with "
                "python -m comanda_migrations.generate and carry the SQL over.",
                self.app,
            ) from error
        return Script(upgrade, state, getattr(module, "RUN_IN_TRANSACTION", True))

    def __str__(self) -> str:
        return f"{self.package}/{self.version}"


@dataclass(frozen=True, slots=True)
class Script:
    """A migration's content: what returns its SQL, and aerich's description of the models after it, as JSON."""

    upgrade: Callable[[BaseDBAsyncClient], Awaitable[str]]
    models_state: str
    is_transaction: bool = True


def folder(package: str, app: str | None = None) -> Traversable:
    """Find the folder of an app's migrations package, inside whichever wheel it came with."""
    try:
        return resources.files(package)
    except ModuleNotFoundError as error:
        raise MigrationError(f"The migrations package {package} cannot be imported: {error}.", app) from error


def steps(history: History) -> list[Step]:
    """List an app's files in the order of their numbers. Raises ``MigrationError`` if two have one number."""
    found = sorted(
        Step(int(match[1]), entry.name, history.app, history.migrations)
        for entry in folder(history.migrations, history.app).iterdir()
        if (match := FILE_NAME.fullmatch(entry.name))
    )
    for one, next_one in itertools.pairwise(found):
        if one.number == next_one.number:
            raise MigrationError(
                f"{one} and {next_one} have the same number. Generate the later one anew.", history.app
            )
    return found


def in_order(histories: Sequence[History]) -> list[History]:
    """Put core first and leave the rest as given. Raises ``MigrationError`` if two histories are of one app."""
    apps = [history.app for history in histories]
    if twice := {app for app in apps if apps.count(app) > 1}:
        raise MigrationError(f"Two migration histories are named {', '.join(sorted(twice))}.")
    return sorted(histories, key=lambda history: history.app != CORE)
