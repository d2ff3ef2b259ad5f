"""The commands ``comanda wallet``."""

import json

import pytest
from comanda.devkit.testing import Installation
from comanda.platform.db import sql


@pytest.fixture
def run(settings):
    installation = Installation(settings.data, {"DATABASE_URL": settings.database_url})

    def command(*arguments):
        return installation.run("wallet", *arguments)

    return command


@pytest.fixture
async def email(owner):
    return await sql.fetch_value("SELECT email FROM core_owner WHERE id = $1", owner.id)


async def test_operator_tops_up_and_corrects(run, email, wallet):
    topped_up = run("top-up", email, "25.50", "--reference", "invoice-1")
    again = run("top-up", email, "25.50", "--reference", "invoice-1", "--json")
    corrected = run("adjust", email, "-5.25", "--reason", "Booked twice", "--json")
    limited = run("credit-limit", email, "10")
    shown = run("show", email)

    assert topped_up.stdout == f"{email}: balance 25.50 EUR, credit limit 0.00 EUR, available 25.50 EUR.\n"
    assert json.loads(again.stdout)["balance"] == 25.5
    assert json.loads(corrected.stdout)["balance"] == 20.25
    assert limited.stdout == shown.stdout
    assert shown.stdout == f"{email}: balance 20.25 EUR, credit limit 10.00 EUR, available 30.25 EUR.\n"


async def test_mistakes_change_nothing(run, email, wallet):
    before = await wallet.counts()

    negative = run("top-up", email, "0", "--reference", "x")
    too_fine = run("top-up", email, "1.001", "--reference", "x")
    too_much = run("adjust", email, "-1", "--reason", "Why")
    unknown = run("show", "nobody@example.com")

    assert [each.returncode for each in (negative, too_fine, too_much, unknown)] == [1, 2, 1, 1]
    assert negative.stderr == "Error: A top-up must be more than 0.\n"
    assert "at most 2 decimals" in too_fine.stderr
    assert "0.00 EUR available, and 1.00 EUR are needed" in too_much.stderr
    assert await wallet.counts() == before


async def test_verify_reports_what_it_checked(run, email, wallet):
    await wallet.top_up(10)

    for_people, for_programs = run("verify"), run("verify", "--json")

    assert (for_people.returncode, for_programs.returncode) == (0, 0)
    assert for_people.stdout.startswith("Checked ")
    report = json.loads(for_programs.stdout)
    assert (report["problems"], report["entries"] >= 1, report["legs"] >= 2) == ([], True, True)
