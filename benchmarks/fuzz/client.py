"""A child process that generates cases, sends them on several connections, and checks the answers.

Asked with ``{site, documents, records, seed, part, parts, cases, first, last, seconds, connections}`` it takes each
operation of its part in turn and sends a share of its cases, from ``first`` to ``last``, until that is done or the time
is over. It returns counts and the faults that it found.
"""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import aiohttp
import requests
from schemathesis import Case, Response
from yarl import URL

from benchmarks import lines
from benchmarks.fuzz import cases
from benchmarks.fuzz.answers import find_faults
from benchmarks.fuzz.cases import Operation, Sent

ANSWER_SECONDS: Final = 60
MAX_FAULTS: Final = 400
# Kept for the next question: generating takes longer than all else.
_operations: dict[str, list[Operation]] = {}
_generated: dict[str, list[Case[Any]]] = {}


class Campaign:
    """One process's part of the cases."""

    def __init__(self, question: dict[str, Any], session: aiohttp.ClientSession) -> None:
        self._site: str = question["site"]
        self._session = session
        self._seed: int = question["seed"]
        found = json.loads(Path(question["records"]).read_text())
        self._known, self._callers = found["operations"], found["callers"]
        for file in question["documents"]:
            if file not in _operations:
                _operations[file] = cases.load_operations(json.loads(Path(file).read_text()))
        operations = [each for file in question["documents"] for each in _operations[file]]
        mine = operations[question["part"] :: question["parts"]]
        self._mine = random.Random(self._seed).sample(mine, len(mine))
        self._share = max(1, round(question["cases"] / len(mine)))
        self._first, self._last = (round(self._share * question[end]) for end in ("first", "last"))
        self._ends_at = time.monotonic() + question["seconds"]
        self._turns = asyncio.Semaphore(question["connections"])
        self.sent: Counter[str] = Counter()
        self.statuses: Counter[str] = Counter()
        self.unavailable: Counter[str] = Counter()
        self.operations: Counter[str] = Counter()
        self.succeeded: Counter[str] = Counter()
        self.faults: dict[str, str] = {}
        self.fault_counts: Counter[str] = Counter()

    async def run(self) -> None:
        """Send as many cases of each operation."""
        for operation in self._mine:
            if time.monotonic() > self._ends_at:
                return
            await asyncio.gather(*(self._send(*each) for each in self._prepare(operation)))

    def report(self) -> dict[str, Any]:
        """Return what was sent and found."""
        return {
            "sent": self.sent,
            "statuses": self.statuses,
            "unavailable": self.unavailable,
            "faults": self.faults,
            "fault_counts": self.fault_counts,
            "operations": self.operations,
            "succeeded": self.succeeded,
        }

    def _get_known(self, operation: Operation) -> dict[str, Any]:
        unknown: dict[str, Any] = {"kinds": [], "records": []}
        found: dict[str, Any] = self._known.get(operation.definition.raw["operationId"], unknown)
        return found

    def _prepare(self, operation: Operation) -> Iterator[tuple[Sent, requests.PreparedRequest]]:
        seed, known = f"{self._seed} {operation.label}", self._get_known(operation)
        if seed not in _generated:
            count = max(1, round(self._share / cases.SENDS / 2))
            _generated[seed] = cases.generate_cases(operation, count, random.Random(seed))
        # Of an operation without parameters there is only one.
        generated = cycle(_generated[seed])
        sent = cases.with_callers(generated, known["records"], known["kinds"], self._callers, random.Random(seed))
        for each in islice(sent, self._first, self._last):
            options = each.case.as_transport_kwargs(base_url=self._site)
            yield each, requests.Request(**options).prepare()

    async def _send(self, sent: Sent, request: requests.PreparedRequest) -> None:
        async with self._turns:
            label = sent.case.operation.label
            self.sent[sent.caller] += 1
            self.operations[label] += 1
            try:
                response = await self._ask(request)
            except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
                self._keep(sent, f"no answer: {type(error).__name__}: {error}", request)
                return
        self.statuses[f"{sent.caller}: {response.status_code}"] += 1
        if response.status_code < 300:
            self.succeeded[label] += 1
        if response.status_code == 503:
            self.unavailable[f"{label}: {response.content[:150].decode(errors='replace')}"] += 1
        for fault in find_faults(sent, response, self._site, self._get_known(sent.case.operation)["kinds"]):
            self._keep(sent, fault, request, response.content)

    async def _ask(self, request: requests.PreparedRequest) -> Response:
        began = time.monotonic()
        assert request.method
        assert request.url
        body = request.body.encode() if isinstance(request.body, str) else request.body
        url = URL(request.url, encoded=True)
        headers = {name: str(value) for name, value in request.headers.items()}
        async with self._session.request(request.method, url, data=body, headers=headers, allow_redirects=False) as got:
            content = await (got.content.readany() if got.content_type == "text/event-stream" else got.read())
            found: dict[str, list[str]] = {}
            for name, value in got.headers.items():
                found.setdefault(name.lower(), []).append(value)
            return Response(got.status, found, content, request, time.monotonic() - began, verify=False)

    def _keep(self, sent: Sent, fault: str, request: requests.PreparedRequest, answer: bytes = b"") -> None:
        """Count a fault, and keep the first of its kind with what repeats it."""
        key = f"{sent.case.operation.label}, {sent.caller}: {fault}"
        self.fault_counts[key] += 1
        if key not in self.faults and len(self.faults) < MAX_FAULTS:
            command = f"{request.method} {request.url} {request.body!r}"
            # What no shell can be given, such as a null byte, has no command.
            with suppress(Exception):
                command = sent.case.as_curl_command(base_url=self._site)
            self.faults[key] = f"{answer[:500].decode(errors='replace')}\n{command}"


async def run(question: dict[str, Any]) -> dict[str, Any]:
    """Run a part of the campaign and report."""
    async with aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=ANSWER_SECONDS),
        connector=aiohttp.TCPConnector(limit=0),
        auto_decompress=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        skip_auto_headers=("Accept-Encoding", "Content-Type"),
    ) as session:
        campaign = Campaign(question, session)
        await campaign.run()
        return campaign.report()


if __name__ == "__main__":
    lines.answer(run)
