"""`comanda doctor`."""

import json
import re

import pytest


def ok(finished):
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_doctor_reports_ok_after_migrate(installation):
    ok(installation.run("migrate"))

    assert ok(installation.run("migrate", "--check")) == "The database is up to date.\n"
    report = ok(installation.run("doctor"))
    assert re.search(r"^ok  database    PostgreSQL \d+", report, re.MULTILINE)
    assert "ok  migrations  all applied" in report
    assert "ok  photos      a file was written to and read from database" in report


def test_doctor_stores_a_photo_where_the_setting_says(installation, tmp_path):
    ok(installation.run("migrate"))

    report = ok(installation.run("doctor", COMANDA_PHOTO_STORAGE=f"folder:{tmp_path / 'photos'}"))
    assert f"read from folder:{tmp_path / 'photos'}" in report
    refused = installation.run("doctor", COMANDA_PHOTO_STORAGE="folder:/proc/photos")

    assert refused.returncode == 1
    assert "!!  photos      cannot be stored" in refused.stdout


def test_doctor_gives_advice(installation):
    finished = installation.run("doctor", DATABASE_URL="postgres://x@127.0.0.1:1/x", REDIS_URL="redis://127.0.0.1:1")

    assert finished.returncode == 1
    assert finished.stdout.count("!!  ") == 2
    assert "→ The database cannot be reached" in finished.stdout
    assert "→ Redis does not answer" in finished.stdout


def test_doctor_marks_unchecked_subjects(installation):
    finished = installation.run("doctor", "--json", DATABASE_URL="postgres://x@127.0.0.1:1/x")

    assert finished.returncode == 1
    status = {finding["subject"]: finding["status"] for finding in json.loads(finished.stdout)}
    assert status["database"] == "problem"
    assert {status[subject] for subject in ("migrations", "redis", "public URL", "disk of database")} == {"not_checked"}
    assert status["versions"] == status["settings"] == status["variables"] == "ok"
    assert "clock" not in status
    assert "events" not in status


@pytest.mark.parametrize(
    ("variable", "value", "line"),
    [
        ("DATABASE_URL", "mysql://root:s3cr3t@db/x", "→ DATABASE_URL must be of the form postgres://"),
        ("COMANDA_KDS_LATE_MINUTES", "soon", "→ COMANDA_KDS_LATE_MINUTES: Input should be a valid integer"),
        ("COMANDA_POOL_SISE", "5", "→ Did you mean COMANDA_POOL_SIZE?"),
        ("COMANDA_PUBLIC_URL", "https://eat.example/shop", "has the path /shop"),
    ],
)
def test_doctor_reports_a_setting_that_is_wrong(installation, variable, value, line):
    finished = installation.run("doctor", **{variable: value})

    assert finished.returncode == 1
    # Whether the database has been migrated depends on the tests that ran before.
    problems = [each for each in finished.stdout.splitlines() if each.startswith("!!  ")]
    assert len([each for each in problems if not each.startswith("!!  migrations")]) == 1
    assert line in finished.stdout
    assert "s3cr3t" not in finished.stdout
