"""The protocol of agents' calls: the header that names the agent, and the form of errors.

Source: Universal Commerce Protocol 2026-04-08, overview. Profiles of agents are not fetched: the version is what the
header says, and the store's own if it says none.
"""

import re
from typing import Final

from comanda.basics import NotFound, to_json
from comanda.contracts import AccessControl, AccessRule, Answer, Call
from comanda.platform.http import error_answer, to_public_error

from comanda_ucp.errors import InvalidAgent, VersionUnsupported
from comanda_ucp.services.envelopes import VERSION, create_error
from comanda_ucp.services.stores import UcpStore, get_offered_store

# The address of a store's API.
STORE: Final = "/s/{slug}/ucp"
MAX_AGENT_LENGTH: Final = 2000
PROFILE: Final = re.compile(r'(?:^|[;,\s])profile="([^"]+)"')
AGENT_VERSION: Final = re.compile(r'[;,\s]version="([^"]*)"')
REQUEST_ID: Final = re.compile(r"[!-~]{1,200}")
REQUESTS_PER_MINUTE: Final = 300
UNREADABLE: Final = frozenset({"bad_request", "validation_failed"})


class UcpProtocol:
    """Admits calls by the address of the agent, and answers errors in the protocol's form."""

    async def admit(self, access: AccessControl, rule: AccessRule, call: Call) -> None:
        """Count the call; agents need no token."""
        await access.count(call, f"ucp:client:{call.client_network}", REQUESTS_PER_MINUTE)

    async def admit_unknown(self, access: AccessControl, call: Call) -> None:
        """Count a call with another method."""
        await access.count(call, f"ucp:client:{call.client_network}", REQUESTS_PER_MINUTE)

    def allows_origin(self, origin: str) -> bool:
        """Return False: agents are no pages of browsers."""
        return False

    def error_answer(self, error: BaseException, call: Call) -> Answer:
        """Return ``code`` and ``content``; for what does not exist, the messages in which resources say so."""
        answer, known = error_answer(error, call), to_public_error(error)
        if isinstance(known, NotFound):
            answer.body = to_json(create_error("not_found", known.message))
            return answer
        code, content = known.code, str(known.message)
        if code in UNREADABLE:
            answer.status, code = 400, "invalid_request"
            sentences = getattr(known, "errors", {})
            content = "; ".join(f"{path}: {texts[0]}" for path, texts in sentences.items()) or content
        answer.body = to_json({"code": code, "content": content})
        return answer


UCP: Final = UcpProtocol()


def check_agent(call: Call) -> str:
    """Return the profile that an agent names, and answer with the id of its request.

    Raises ``InvalidAgent``, and ``VersionUnsupported`` for an agent that says another version.
    """
    request_id = call.headers.get("request-id", "")
    if REQUEST_ID.fullmatch(request_id):
        call.extra_headers["Request-Id"] = request_id
    given = call.headers.get("ucp-agent", "")
    found = PROFILE.search(given) if len(given) <= MAX_AGENT_LENGTH else None
    if found is None:
        raise InvalidAgent
    version = AGENT_VERSION.search(given)
    if version is not None and version[1] != VERSION:
        raise VersionUnsupported(f"Version {version[1][:40]} is not supported. This store implements {VERSION}.")
    return found[1]


async def admit_agent(call: Call, slug: str) -> UcpStore:
    """Return the store that an agent calls, and make the call one of its guests.

    Raises ``InvalidAgent``, ``VersionUnsupported`` and ``NotFound``.
    """
    check_agent(call)
    store = await get_offered_store(slug)
    call.caller = store.caller
    return store
