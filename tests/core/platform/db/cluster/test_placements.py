"""Which owners' rows one statement may change."""

import pytest
from citus_cluster import CITUS_URL
from comanda.platform.db.cluster import placements


@pytest.mark.skipif(CITUS_URL is not None, reason="The database is on a cluster")
async def test_one_server_changes_the_rows_of_all_owners_at_once(app):
    assert await placements.is_distributed("core_order") is False
    assert await placements.split_by_statement("core_order", [3, 1, 3]) == [[1, 3]]


async def test_cluster_changes_the_rows_of_each_owner_alone(app, monkeypatch):
    async def is_distributed(_table):
        return True

    monkeypatch.setattr(placements, "is_distributed", is_distributed)

    assert await placements.split_by_statement("core_order", [3, 1, 3]) == [[1], [3]]
