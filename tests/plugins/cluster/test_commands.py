"""`comanda partitions`."""

import json
import shutil

import pytest
from comanda.devkit.testing import Installation, create_migrated_data_folder
from comanda.operations.embedded.server import EmbeddedPostgres


@pytest.fixture
def installation():
    data = create_migrated_data_folder()
    with EmbeddedPostgres(data):
        yield Installation(data, {})
    shutil.rmtree(data)


def test_check_prints_tables_and_their_partitions(installation):
    before = installation.run("partitions", "--check")
    made = installation.run("partitions", "core_outbox")
    after = installation.run("partitions", "--check")

    assert before.returncode == 0, before.stderr
    assert "core_outbox                        to be partitioned by week, rows are kept for 7 days" in before.stdout
    assert made.returncode == 0, made.stderr
    assert "core_audit_entry" not in made.stdout
    assert "core_outbox                        by week, rows are kept for 7 days" in after.stdout
    assert "core_audit_entry                   to be partitioned by month, rows are kept for 400 days" in after.stdout
    assert after.stdout.count("  core_outbox_") == 3
    assert after.stdout.count("(receives rows)") == 1
    [outbox] = [
        table
        for table in json.loads(installation.run("partitions", "--check", "--json").stdout)["tables"]
        if table["table"] == "core_outbox"
    ]
    assert (outbox["is_partitioned"], outbox["retention_days"], len(outbox["partitions"])) == (True, 7, 3)


def test_backup_of_partitions_is_restored(installation, tmp_path):
    file = tmp_path / "partitions.zip"
    installation.run("partitions", "core_audit_entry")
    before = installation.run("partitions", "--check").stdout
    saved = installation.run("backup", str(file))
    restored = installation.run("restore", str(file), "--replace")

    assert saved.returncode == 0, saved.stderr
    assert restored.returncode == 0, restored.stderr
    assert installation.run("partitions", "--check").stdout.count("core_") == before.count("core_")
    assert installation.run("partitions").returncode == 0


def test_other_tables_are_refused(installation):
    refused = installation.run("partitions", "core_order")

    assert refused.returncode == 2
    assert "core_order is not one of: " in refused.stderr
