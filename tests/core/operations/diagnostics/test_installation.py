"""Checks of an installation that is running."""

from comanda.operations.diagnostics.installation import check_installation
from comanda.operations.diagnostics.results import CheckStatus


async def test_running_installation_is_checked_without_problems_of_its_database(runtime):
    results = {result.subject: result for result in await check_installation(runtime.settings, runtime.registry)}

    assert {"versions", "data folder", "disk", "plugins", "database", "clock", "migrations", "redis"} <= set(results)
    assert results["database"].found.startswith("PostgreSQL ")
    assert results["migrations"].status is CheckStatus.OK
    assert results["redis"].status is CheckStatus.NOT_CHECKED


async def test_database_out_of_reach_is_a_problem_and_no_error(runtime):
    settings = runtime.settings.model_copy(update={"database_url": "postgresql://nobody@127.0.0.1:1/nothing"})

    results = await check_installation(settings, runtime.registry)

    [database] = [result for result in results if result.subject == "database"]
    assert (database.status, database.found) == (CheckStatus.PROBLEM, "cannot be checked")


async def test_redis_out_of_reach_is_a_problem_and_no_error(runtime):
    settings = runtime.settings.model_copy(update={"redis_url": "redis://127.0.0.1:1/0"})

    results = await check_installation(settings, runtime.registry)

    assert (results[-1].subject, results[-1].status) == ("redis", CheckStatus.PROBLEM)
