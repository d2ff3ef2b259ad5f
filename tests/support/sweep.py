"""Checks of one rule for every route, tool, page or file, and the rows that requests change."""

from collections import Counter
from contextlib import contextmanager

import pytest
from comanda.platform.db import sql


class Sweep:
    """The subjects that one rule was checked for, and the failures among them."""

    def __init__(self):
        self.count, self.failures = 0, []

    @contextmanager
    def check(self, subject):
        """Check one subject in the block; its failure is reported when the others have been checked too."""
        self.count += 1
        try:
            yield
        except Exception as error:
            self.failures.append(f"{subject}: {type(error).__name__}: {error}")


@contextmanager
def sweep(at_least=1):
    """Yield a ``Sweep``; fail the test with all of its failures, or if it has checked fewer subjects than expected."""
    made = Sweep()
    yield made
    if made.failures:
        pytest.fail(f"{len(made.failures)} of {made.count} fail.\n" + "\n".join(made.failures), pytrace=False)
    assert made.count >= at_least, f"only {made.count} of at least {at_least} were checked"


# What a token notes of its use is no change.
INSTALL = (
    "CREATE SCHEMA tally",
    "CREATE TABLE tally.change (name text NOT NULL)",
    """CREATE FUNCTION tally.record() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF TG_TABLE_NAME <> 'core_access_token' OR TG_OP <> 'UPDATE'
            OR to_jsonb(OLD) - 'last_used_at' - 'expires_at' <> to_jsonb(NEW) - 'last_used_at' - 'expires_at' THEN
           INSERT INTO tally.change VALUES (TG_OP || ' ' || TG_TABLE_NAME);
         END IF;
         RETURN NULL;
       END $$""",
    """DO $$
       DECLARE name regclass;
       BEGIN
         FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                       AND NOT relispartition LOOP
           EXECUTE format('CREATE TRIGGER tally AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW '
                          'EXECUTE FUNCTION tally.record()', name);
         END LOOP;
       END $$""",
)
REMOVE = "DROP SCHEMA tally CASCADE"


class Tally:
    """The rows that transactions have changed in any table, whoever committed them."""

    async def take(self):
        """Return the number of rows changed since the last call, by names such as ``UPDATE core_order``."""
        rows = await sql.fetch("DELETE FROM tally.change RETURNING name")
        return dict(Counter(row["name"] for row in rows))


@pytest.fixture(scope="module")
async def tally(app):
    """Return the count of the rows that change."""
    async with sql.transaction():
        for statement in INSTALL:
            await sql.execute(statement)
    yield Tally()
    await sql.execute(REMOVE)
