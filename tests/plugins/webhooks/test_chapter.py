"""The chapter for receivers, whose code is run; and the list of events for agents."""

import json
import re
import shutil
import subprocess
from datetime import UTC, datetime, timedelta

import chapters
import pytest
from comanda_webhooks.plugin import register_docs
from comanda_webhooks.services import signatures

BODY = b'{"id":"msg_1","event":"ping"}'
SECRET = signatures.generate_secret()


@pytest.fixture
def verify():
    """The function that the chapter gives to receivers."""
    [chapter] = register_docs()
    code = re.search(r"^```python\n(.*?)^```$", chapter.text, re.MULTILINE | re.DOTALL)
    names = {}
    exec(code[1], names)
    return names["verify"]


def signed(*secrets, seconds=0):
    """The headers of a delivery that was sent so many seconds from now."""
    made = signatures.to_signed_headers("msg_1", datetime.now(UTC) + timedelta(seconds=seconds), "ping", BODY, secrets)
    return {name.lower(): value for name, value in made.items()}


async def test_the_chapters_command_gives_what_is_shown(client, owner):
    [(command, shown)] = [one.values for one in chapters.examples(register_docs())]

    await chapters.check(client, command, shown, {"OWNER_TOKEN": owner.token})


def test_the_chapters_code_takes_a_delivery_of_ours(verify):
    assert verify(signed(SECRET), BODY, SECRET) == "msg_1"


def test_it_takes_the_old_secret_as_long_as_that_signs_too(verify):
    new = signatures.generate_secret()
    headers = signed(new, SECRET)

    assert verify(headers, BODY, SECRET) == verify(headers, BODY, new) == "msg_1"


@pytest.mark.parametrize(
    "changed", [{"webhook-id": "msg_2"}, {"webhook-signature": "v1,AAAA"}, {"webhook-signature": ""}]
)
def test_it_refuses_what_was_changed(verify, changed):
    with pytest.raises(ValueError, match="not signed"):
        verify({**signed(SECRET), **changed}, BODY, SECRET)


@pytest.mark.parametrize("seconds", [-310, 310])
def test_it_refuses_what_is_old_or_from_the_future(verify, seconds):
    with pytest.raises(ValueError, match="too old"):
        verify(signed(SECRET, seconds=seconds), BODY, SECRET)


def test_it_refuses_another_body_and_another_secret(verify):
    with pytest.raises(ValueError, match="not signed"):
        verify(signed(SECRET), BODY + b" ", SECRET)
    with pytest.raises(ValueError, match="not signed"):
        verify(signed(SECRET), BODY, signatures.generate_secret())


@pytest.mark.skipif(shutil.which("node") is None, reason="There is no Node here.")
def test_the_code_in_javascript_decides_the_same(tmp_path):
    [chapter] = register_docs()
    code = re.search(r"^```javascript\n(.*?)^```$", chapter.text, re.MULTILINE | re.DOTALL)[1]
    asked = [
        (signed(SECRET), BODY, SECRET),
        (signed(signatures.generate_secret(), SECRET), BODY, SECRET),
        (signed(SECRET), BODY + b" ", SECRET),
        (signed(SECRET), BODY, signatures.generate_secret()),
        (signed(SECRET, seconds=-310), BODY, SECRET),
        ({**signed(SECRET), "webhook-signature": "v1,AAAA"}, BODY, SECRET),
    ]
    cases = json.dumps([[headers, body.decode(), secret] for headers, body, secret in asked])
    asking = f"""
        const told = {cases}.map(([headers, body, secret]) => {{
          try {{ return verify(headers, Buffer.from(body), secret); }} catch (error) {{ return null; }}
        }});
        console.log(JSON.stringify(told));
    """
    (tmp_path / "receiver.mjs").write_text(code + asking)

    done = subprocess.run(["node", "receiver.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)

    assert json.loads(done.stdout) == ["msg_1", "msg_1", None, None, None, None]


def test_the_chapter_names_every_route(runtime):
    [chapter] = register_docs()
    for route in runtime.registry.contributions["webhooks"]["route"]:
        method, _, path = route.partition(" ")
        listed = re.search(rf"`([A-Z, ]+) {re.escape(path.removeprefix('/api/v1'))}`", chapter.text)
        assert listed is not None, route
        assert method in listed[1].split(", "), route


async def test_agents_see_every_event_with_its_schema_and_a_sample_that_fits_it(mcp, runtime):
    found = await mcp("/mcp/dev").call("list_webhook_events")

    assert [event["name"] for event in found["events"]] == sorted(runtime.registry.events)
    for event in found["events"]:
        kind = runtime.registry.events[event["name"]]
        assert (event["scope"], event["sample"]) == (kind.scope, dict(kind.sample))
        assert set(event["sample"]) <= set(event["data_schema"]["properties"]), event["name"]
        assert event["description"]


@pytest.mark.parametrize("group", ["order", "order.*"])
async def test_a_group_is_listed_alone(mcp, runtime, group):
    found = await mcp("/mcp/dev").call("list_webhook_events", {"group": group})

    names = [event["name"] for event in found["events"]]
    assert names == sorted(name for name in runtime.registry.events if name.startswith("order."))
    assert {"order.created", "order.status_changed"} <= set(names)
    assert {"menu", "order", "ping"} <= set(found["groups"])


async def test_everything_can_be_asked_for_by_its_pattern(mcp):
    agent = mcp("/mcp/dev")

    assert await agent.call("list_webhook_events", {"group": "*"}) == await agent.call("list_webhook_events")


@pytest.mark.parametrize("group", ["pigeon", "", "order.created", "order.*.*"])
async def test_a_group_without_events_is_not_found(mcp, group):
    assert (await mcp("/mcp/dev").refused("list_webhook_events", {"group": group}))["code"] == "not_found"
