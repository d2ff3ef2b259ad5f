"""Claims of queues whose tables are distributed: the claim of a single server, as the text that each shard runs."""

from datetime import timedelta

import pytest
from citus_cluster import CITUS_URL, NO_CLUSTER
from comanda.contracts.background.queues import QueueTable
from comanda.devkit.testing.stores import line
from comanda.platform.db import sql
from comanda.platform.events.dispatcher import OUTBOX
from comanda.platform.queue.shard_claims import build_due_check, build_shard_claim

PARCELS = QueueTable("shop_parcel", columns=("label",), condition="q.kind LIKE 'a%'", share_by="shop_id")


def test_claim_names_the_shard_and_quotes_the_parameters():
    claim = build_shard_claim(PARCELS)

    # Formatted twice, with the parameters and with the name of the shard, which leaves one % of the condition.
    assert "UPDATE %%1$s q SET leased_until = %1$L::timestamptz + %2$L::interval" in claim
    assert "q.kind LIKE 'a%%%%'" in claim
    assert "FROM run_command_on_shards('shop_parcel', format($claim$WITH RECURSIVE waiting" in claim
    assert "json_populate_record(NULL::shop_parcel, c.fields) AS own" in claim


def test_claim_without_shares_has_no_recursion():
    assert "RECURSIVE" not in build_shard_claim(OUTBOX)


async def test_due_check_runs_on_any_server(app):
    assert await sql.fetch(build_due_check(OUTBOX), timedelta(days=-9999)) == []


@pytest.mark.skipif(CITUS_URL is None, reason=NO_CLUSTER)
async def test_events_are_claimed_on_their_shard(owner, store, dispatch):
    waiting = "SELECT count(*) FROM core_outbox WHERE owner_id = $1 AND done_at IS NULL"
    await store.place(line(await store.item("Soup", 5)))
    before = await sql.fetch_value(waiting, owner.id)

    await dispatch()

    assert before > 0
    assert await sql.fetch_value(waiting, owner.id) == 0
