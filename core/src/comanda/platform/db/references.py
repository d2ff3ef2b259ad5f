"""Foreign keys of other apps to rows that are being deleted."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from tortoise.exceptions import IntegrityError

from comanda.basics.errors import Conflict


@asynccontextmanager
async def check_references(name: str) -> AsyncIterator[None]:
    """Raise ``Conflict`` if the rows that the block deletes are referred to and the foreign key says to keep them.

    ``name`` is what people call the rows. The open transaction cannot go on afterwards.
    """
    try:
        yield
    except (IntegrityError, asyncpg.IntegrityConstraintViolationError) as error:
        cause = error.__cause__ if isinstance(error, IntegrityError) else error
        if not isinstance(cause, (asyncpg.ForeignKeyViolationError, asyncpg.RestrictViolationError)):
            raise
        app = (cause.table_name or "another app").partition("_")[0]
        raise Conflict(
            f"{name} cannot be deleted because {app} still refers to it.", extras={"reason": "in_use", "used_by": app}
        ) from error
