"""The route on which apps report usage."""

from urllib.parse import parse_qsl

from comanda.basics import BadRequest, Forbidden, Unauthenticated
from comanda.contracts import (
    ANY_SCOPE,
    AccessControl,
    AccessRule,
    Answer,
    Call,
    Caller,
    FileUpload,
    Routes,
    Unvalidated,
    parse_query,
)
from comanda.platform import runtime
from comanda.platform.http import error_answer

from comanda_marketplace.records import UsageReceipt
from comanda_marketplace.schemas import UsageBody
from comanda_marketplace.services.billing import usage

URL_ENCODED = "application/x-www-form-urlencoded"


class AppTokenProtocol:
    """Answers like REST, but a valid token of another kind than an app's with 403 instead of 401."""

    is_rest = True

    async def admit(self, access: AccessControl, rule: AccessRule, call: Call) -> None:
        """Set ``call.caller``. Raises ``LimitExceeded``, ``Unauthenticated`` or ``Forbidden``."""
        kinds = runtime.registry().caller_kinds
        try:
            caller = await access.identify(kinds, call, in_query=False)
        except Exception:
            await self.admit_unknown(access, call)
            raise
        await access.count(call, f"token:{caller.token_id}" if caller else f"client:{call.client_network}")
        if caller is None:
            raise Unauthenticated
        if caller.kind not in rule.callers:
            raise Forbidden("Usage is reported with the access token of an installed app.")
        call.caller = caller

    async def admit_unknown(self, access: AccessControl, call: Call) -> None:
        """Count a call that no route answers."""
        await access.admit_unknown(call)

    def allows_origin(self, origin: str) -> bool:
        """Return False: apps report from their servers."""
        return False

    def error_answer(self, error: BaseException, call: Call) -> Answer:
        """Return the envelope of an error."""
        return error_answer(error, call)


routes = Routes("App marketplace", callers=("app",), prefix="", protocol=AppTokenProtocol())


@routes.post("/api/app/usage", scope=ANY_SCOPE, answers=UsageReceipt, upload=FileUpload((URL_ENCODED,)))
async def report_usage(caller: Caller, call: Call, body: Unvalidated[UsageBody]) -> Answer:
    """Charge usage to the wallet of the owner who installed the app, at the app's price; as a form or as JSON.

    A ``ref`` that was charged before answers 200 with the first record and ``duplicate: true``, and charges nothing.
    402 means that the wallet does not cover it, or with ``reason: cap_reached`` that the owner's monthly cap is
    reached; nothing is stored, and the ``ref`` can be used again.
    """
    recorded = await usage.report_usage(caller, _parse(call, body))
    return Answer(recorded, 200 if recorded.is_duplicate else 201)


def _parse(call: Call, body: Unvalidated[UsageBody]) -> UsageBody:
    if not call.headers.get("content-type", "").startswith(URL_ENCODED):
        return body.validated()
    try:
        fields = parse_qsl(call.body.decode(), keep_blank_values=True, max_num_fields=20)
    except ValueError as error:
        raise BadRequest("The form cannot be read.") from error
    return parse_query(UsageBody, dict(fields))
