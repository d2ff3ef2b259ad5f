"""The command with which administrators grant features."""

import json

import pytest
from click.testing import CliRunner
from comanda.basics import NotFound, ValidationFailed
from comanda.cli import session
from comanda_entitlements import api
from comanda_entitlements.commands import entitlements


@pytest.fixture
def run(monkeypatch, app):
    """Return a function that runs the command on the database of the tests, in the loop of the test."""

    async def invoke(*arguments):
        works = []
        monkeypatch.setattr(session, "call", lambda work, data: works.append(work) or WORKED[0])
        WORKED[:] = [[]]
        first = CliRunner().invoke(entitlements, arguments)
        if not works:
            return first
        WORKED[:] = [await works[0]()]
        return CliRunner().invoke(entitlements, arguments)

    return invoke


WORKED = [[]]


async def test_grant_show_and_revoke(run, owner, plan, changes):
    await plan(stores=1)
    before = len((await changes()).data)

    granted = await run("grant", owner.email, "crm_suite", "--quota", "5", "--until", "2090-01-31")
    shown = await run("show", owner.email)
    [found] = [each for each in json.loads((await run("show", owner.email, "--json")).output)
               if each["feature_key"] == "crm_suite"]  # fmt: skip
    revoked = await run("revoke", owner.email, "crm_suite")

    assert granted.output == f"{owner.email} is granted crm_suite up to 5 until 2090-01-31T00:00:00+00:00.\n"
    [line] = [line for line in shown.output.splitlines() if line.startswith("crm_suite")]
    assert line.split() == ["crm_suite", "granted", "up", "to", "5", "admin/crm_suite"]
    assert (found["granted"], found["quota"]) == (True, 5)
    assert found["sources"] == [
        {"source_type": "admin", "source_id": "crm_suite", "quota": 5, "expires_at": "2090-01-31T00:00:00Z"}
    ]
    assert revoked.exit_code == 0
    assert (await changes()).features[before:] == ["+crm_suite", "-crm_suite"]


async def test_invalid_grants_are_refused(run, owner):
    with pytest.raises(ValidationFailed):
        await run("grant", owner.email, "unicorns")
    with pytest.raises(ValidationFailed):
        await run("grant", owner.email, "crm_suite", "--until", "2020-01-01")
    with pytest.raises(NotFound):
        await run("grant", "nobody@example.com", "crm_suite")
    with pytest.raises(NotFound):
        await run("revoke", owner.email, "crm_suite")
    assert (await run("grant", owner.email, "crm_suite", "--until", "soon")).exit_code == 2
    assert (await run("grant", owner.email, "crm_suite", "--quota", "-1")).exit_code == 2
    assert (await api.get_effective(owner.id))["crm_suite"].quota is None
