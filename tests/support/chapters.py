"""Execution of the commands in documentation chapters, compared with the documented answers.

A command is a block of ``sh`` with one ``curl``, which names what it needs as ``$VARIABLES``. The block of ``json``
that may follow shows some of the answer: each key that is shown has that value, and "…" stands for anything but null.
"""

import json
import re
import shlex
from urllib.parse import urlsplit

import pytest

BASE_URL = "http://comanda.test/api/v1"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(chapters):
    """Return the commands of chapters with the JSON below them, or None, as parameters of a test."""
    return [
        pytest.param(command, shown, id=f"{chapter.name}-{number}")
        for chapter in chapters
        for number, (command, shown) in enumerate(_pairs(chapter))
    ]


async def check(client, command, shown, variables):
    """Run a command and compare its answer with the documented one, an error if that has a ``code``."""
    response, answer = await _run(client, command, {"BASE_URL": BASE_URL, **variables})
    is_refusal = isinstance(shown, dict) and "code" in shown
    assert (response.status_code >= 400) == is_refusal, answer
    assert shown is None or _holds(answer, shown), answer


def _pairs(chapter):
    blocks = BLOCK.findall(chapter.render_text("http://comanda.test"))
    for place, (kind, text) in enumerate(blocks):
        if kind == "sh":
            following = blocks[place + 1] if place + 1 < len(blocks) else ("", "")
            yield text, json.loads(following[1]) if following[0] == "json" else None


async def _run(client, command, variables):
    filled = re.sub(r"\$([A-Z_]+)", lambda found: str(variables[found[1]]), command.replace("\\\n", ""))
    words = iter(shlex.split(filled))
    assert next(words) == "curl"
    options, address = {"method": "GET", "headers": {}}, ""
    for word in words:
        if word == "-X":
            options["method"] = next(words)
        elif word == "-H":
            name, _, value = next(words).partition(": ")
            options["headers"][name] = value
        elif word == "-d":
            options["data"] = next(words)
        elif word != "-sS":
            address = urlsplit(word)
    response = await client.open(f"{address.path}?{address.query}", **options)
    return response, await response.get_json()


def _holds(answer, shown):
    if shown == "…":
        return answer is not None
    if isinstance(shown, dict):
        return isinstance(answer, dict) and all(key in answer and _holds(answer[key], shown[key]) for key in shown)
    if isinstance(shown, list):
        return isinstance(answer, list) and len(answer) >= len(shown) and all(map(_holds, answer, shown))
    return answer == shown
