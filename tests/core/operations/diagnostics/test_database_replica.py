import pytest
from comanda.devkit.testing.data_folders import create_data_folder
from comanda.operations.diagnostics.database_replica import check_replica
from comanda.operations.diagnostics.results import CheckStatus
from comanda.operations.embedded.server import EmbeddedPostgres
from comanda.platform.settings import Settings, read_settings
from streaming_replica import StreamingReplica


@pytest.fixture(scope="module")
def primary():
    with EmbeddedPostgres(create_data_folder()) as server:
        yield server


async def check(primary, replica_url):
    settings = read_settings(Settings, database_url=primary.url, database_replica_url=replica_url)
    return [(result.status, result.found) async for result in check_replica(settings)]


async def test_replica_is_well_until_it_is_promoted_or_gone(primary):
    with StreamingReplica(primary) as replica:
        url = replica.to_url(primary.url)
        ((following, lag),) = await check(primary, url)
        replica.promote()
        promoted = await check(primary, url)
    ((gone, sentence),) = await check(primary, url)

    assert (following, lag.endswith("bytes behind")) == (CheckStatus.OK, True)
    assert promoted == [(CheckStatus.PROBLEM, "DATABASE_REPLICA_URL is not a replica of the database")]
    assert (gone, sentence.startswith("cannot be used: ")) == (CheckStatus.PROBLEM, True)


async def test_the_primary_is_no_replica_of_itself(primary):
    assert await check(primary, primary.url) == [
        (CheckStatus.PROBLEM, "DATABASE_REPLICA_URL is not a replica of the database")
    ]


async def test_without_replica_nothing_is_checked(primary):
    assert await check(primary, None) == []
