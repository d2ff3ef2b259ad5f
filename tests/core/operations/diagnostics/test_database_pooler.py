import pytest
from comanda.operations.diagnostics.database_pooler import check_pooler
from comanda.operations.diagnostics.results import CheckStatus
from comanda.platform.settings import Settings, read_settings
from pgbouncer import PROGRAM, run_pgbouncer

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="pgbouncer is not installed")


@pytest.fixture(scope="module")
def database(new_database):
    return new_database("comanda_check_pooler")


@pytest.fixture(scope="module")
def other_database(new_database):
    return new_database("comanda_check_other")


async def check(url, direct_url):
    settings = read_settings(Settings, database_url=url, database_direct_url=direct_url)
    return [(result.status, result.found) async for result in check_pooler(settings)]


async def test_pooler_that_limits_statements_is_well(database):
    with run_pgbouncer(database) as through:
        found = await check(through(database), database)

    assert found == [(CheckStatus.OK, "leads to the same database, and limits statements")]


async def test_pooler_that_limits_nothing_is_a_problem(database):
    with run_pgbouncer(database, connect_query="SET jit = off") as through:
        found = await check(through(database), database)

    assert found == [(CheckStatus.PROBLEM, "it sets no lock_timeout and no statement_timeout")]


async def test_pooler_of_another_database_is_a_problem(database, other_database):
    with run_pgbouncer(database) as through:
        found = await check(through(other_database), database)

    assert found == [(CheckStatus.PROBLEM, "DATABASE_URL and DATABASE_DIRECT_URL lead to different databases")]


async def test_without_pooler_nothing_is_checked(database):
    assert await check(database, None) == []
