"""The chapter for receivers, whose code is run."""

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
    """Return the verification function shown in the chapter."""
    [chapter] = register_docs()
    code = re.search(r"^```python\n(.*?)^```$", chapter.text, re.MULTILINE | re.DOTALL)
    names = {}
    exec(code[1], names)
    return names["verify"]


def signed(*secrets, seconds=0):
    """Return the headers of a delivery sent so many seconds from now."""
    made = signatures.to_signed_headers("msg_1", datetime.now(UTC) + timedelta(seconds=seconds), "ping", BODY, secrets)
    return {name.lower(): value for name, value in made.items()}


async def test_command_of_chapter_gives_what_is_shown(client, owner):
    [(command, shown)] = [one.values for one in chapters.examples(register_docs())]

    await chapters.check(client, command, shown, {"OWNER_TOKEN": owner.token})


def test_code_of_chapter_accepts_our_delivery(verify):
    assert verify(signed(SECRET), BODY, SECRET) == "msg_1"


def test_code_accepts_old_secret_during_rotation(verify):
    new = signatures.generate_secret()
    headers = signed(new, SECRET)

    assert verify(headers, BODY, SECRET) == verify(headers, BODY, new) == "msg_1"


@pytest.mark.parametrize(
    "changed", [{"webhook-id": "msg_2"}, {"webhook-signature": "v1,AAAA"}, {"webhook-signature": ""}]
)
def test_code_refuses_changed_delivery(verify, changed):
    with pytest.raises(ValueError, match="not signed"):
        verify({**signed(SECRET), **changed}, BODY, SECRET)


@pytest.mark.parametrize("seconds", [-310, 310])
def test_code_refuses_old_and_future_timestamps(verify, seconds):
    with pytest.raises(ValueError, match="too old"):
        verify(signed(SECRET, seconds=seconds), BODY, SECRET)


def test_code_refuses_other_body_or_secret(verify):
    with pytest.raises(ValueError, match="not signed"):
        verify(signed(SECRET), BODY + b" ", SECRET)
    with pytest.raises(ValueError, match="not signed"):
        verify(signed(SECRET), BODY, signatures.generate_secret())


@pytest.mark.skipif(shutil.which("node") is None, reason="There is no Node here.")
def test_javascript_code_decides_the_same(tmp_path):
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


def test_chapter_names_every_route(runtime):
    [chapter] = register_docs()
    for route in runtime.registry.contributions["webhooks"]["route"]:
        method, _, path = route.partition(" ")
        listed = re.search(rf"`([A-Z, ]+) {re.escape(path.removeprefix('/api/v1'))}`", chapter.text)
        assert listed is not None, route
        assert method in listed[1].split(", "), route
