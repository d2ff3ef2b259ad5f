"""Claims of a leased queue whose table is distributed over the nodes of a Citus cluster.

A claim looks for work of all owners, skips what others have locked, and takes turns among shares. Citus can do none of
that in one statement over several shards; but each shard has all rows of its owners, so the claim of a single server
runs on each shard by itself. Each of them claims as many rows as was asked for.
"""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from comanda.contracts.background.queues import QueueTable
from comanda.platform.queue.statements import MARK, build_claim_parts, get_moment, is_due_condition

PARAMETER: Final = re.compile(r"\$(\d+)")


@lru_cache(maxsize=100)
def build_due_check(table: QueueTable) -> str:
    """Build the statement that finds out whether any row is due; $1 is the moment."""
    is_due = is_due_condition(table, get_moment(table, "$1"))
    return f"{MARK} SELECT q.owner_id FROM {table.name} q WHERE {is_due} LIMIT 1"


@lru_cache(maxsize=100)
def build_shard_claim(table: QueueTable) -> str:
    """Build the statement that claims due rows on all shards, with the parameters and columns of a claim.

    The claim is text, formatted twice: with the parameters, and by Citus with the name of each shard.
    """
    escaped = replace(table, name="%1$s", condition=table.condition and table.condition.replace("%", "%%"))
    chosen, lease = build_claim_parts(escaped)
    # Whatever the columns are, they return as what they are in the table.
    fields = "".join(f", '{column}', q.{column}" for column in table.columns)
    claim = f"""{chosen}, claimed AS ({lease}, json_build_object('{table.key}', q.{table.key}{fields}) AS fields)
        SELECT coalesce(json_agg(claimed), '[]') FROM claimed"""
    text = PARAMETER.sub(r"%\1$L", re.sub(r"%", "%%", claim))
    moment = "interval" if table.uses_database_clock else "timestamptz"
    types = [moment, "interval", "bigint"]
    if table.share_by is not None:
        kind = table.share_type
        types += [kind, f"{kind}[]", "int[]", "bigint", "bigint[]", "int[]", "bigint"]
    # A text within the claim must not look like the name of a shard.
    values = ", ".join(f"replace(${number}::{kind}::text, '%', '%%')" for number, kind in enumerate(types, start=1))
    columns = "".join(f", own.{column}" for column in table.columns)
    share = f"c.claimed_share::{table.share_type}" if table.share_by else "NULL"
    return f"""{MARK}
        SELECT c.claimed_id, c.claimed_owner_id, c.claimed_attempts, c.claimed_due, c.claimed_until,
            {share} AS claimed_share{columns}
        FROM run_command_on_shards('{table.name}', format($claim${text}$claim$, {values})) AS shard
        CROSS JOIN LATERAL json_to_recordset(shard.result::json) AS c (claimed_id bigint, claimed_owner_id bigint,
            claimed_attempts int, claimed_due timestamptz, claimed_until timestamptz, claimed_share text, fields json)
        CROSS JOIN LATERAL json_populate_record(NULL::{table.name}, c.fields) AS own"""
