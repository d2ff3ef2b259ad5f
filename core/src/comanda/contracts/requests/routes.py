"""Routes as plugins declare them: who may call what, with which scope and schemas, and by which protocol."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, TypedDict, Unpack

from comanda.basics.redaction import is_secret_name
from comanda.contracts.requests.access import AccessControl, AccessRule
from comanda.contracts.requests.binding import Binding, bind
from comanda.contracts.requests.calls import JSON, Answer, Call
from comanda.contracts.requests.wire import to_wire

API_PREFIX: Final = "/api/v1"
# What an app may do on an owner's behalf unless a route says otherwise: the work of stores, and nothing of the account.
STORE_PREFIX: Final = "/restaurants"
STORE_PATH: Final = f"{API_PREFIX}{STORE_PREFIX}/{{id}}"

OWNER: Final = ("owner",)
PUBLIC: Final[tuple[str, ...]] = ()

# The content type of forms with files; a route that takes one names the part that is the file.
FORM: Final = "multipart/form-data"

# Any valid token of a kind that the route takes, whatever its scopes.
ANY_SCOPE: Final = "any"

KEY_HEADER: Final = "Idempotency-Key"
CREATING_STATUSES: Final = (201, 202)
REPLAYED_ANSWER: Final = "1 to 255 visible characters; a repeat within 24 hours is answered with the first answer."

Handler = Callable[..., Any]


class ApiProtocol(Protocol):
    """Admits calls and answers errors; the REST API's own is ``comanda.platform.http.rest.RestProtocol``."""

    async def admit(self, access: AccessControl, rule: AccessRule, call: Call) -> None:
        """Set ``call.caller`` and count the call. Raises what refuses it."""

    async def admit_unknown(self, access: AccessControl, call: Call) -> None:
        """Count a call with a method that none of the path's routes has."""

    def allows_origin(self, origin: str) -> bool:
        """Return whether pages of an origin may call those of its routes that are open to browsers."""

    def error_answer(self, error: BaseException, call: Call) -> Answer:
        """Return the answer to a call that failed."""


@dataclass(frozen=True, slots=True)
class FileUpload:
    """Bodies that a route takes beside JSON: their content types, and the size of those larger than other routes take.

    Of a form, ``part`` is the one that is the file. Raises ``TypeError`` for a form without it, or the reverse.
    """

    content_types: tuple[str, ...] = ()
    part: str | None = None
    max_bytes: int | None = None

    def __post_init__(self) -> None:
        if (FORM in self.content_types) != (self.part is not None):
            raise TypeError(f"an upload of {FORM} and part= go together")


NO_UPLOAD: Final = FileUpload()


class RouteOptions(TypedDict, total=False):
    """What a route may say of itself beside its method and path; see ``Route`` for what is not explained here."""

    scope: str | None
    status: int
    callers: tuple[str, ...]
    answers: object
    """The type of success, where the handler's hint is not."""
    cors: bool
    headers: tuple[tuple[str, str], ...]
    content_types: tuple[str, ...]
    upload: FileUpload
    is_read_only: bool
    feature: str
    is_delegable: bool
    """By default, routes of stores are open to apps, and no others."""
    is_replayable: bool
    """By default, answers of requests that create something are stored, unless the route takes a key itself."""


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one path.

    ``callers`` are codes of caller kinds, none for a public route; ``scope`` is what their token must carry, and a
    route that takes callers but names no scope stops the startup. ``path`` is relative to ``prefix`` and has its
    parameters in braces. ``status`` is that of success. ``cors`` lets any origin call it from a browser. ``headers``
    are the request headers that it reads, each with what it means. ``content_types`` are those of a success that is not
    JSON; ``upload`` is what it takes beside JSON. A route that ``is_read_only`` changes nothing although it is no
    GET, and leaves no entry in the audit log. A ``protocol`` admits calls and answers errors where REST does
    otherwise. ``feature`` is what the caller's owner must be entitled to. One that ``is_delegable`` is open to callers
    that act for one of ``callers``, such as apps.
    """

    method: str
    path: str
    handler: Handler
    tag: str
    prefix: str
    callers: tuple[str, ...]
    scope: str | None
    status: int
    cors: bool
    headers: tuple[tuple[str, str], ...]
    is_documented: bool
    binding: Binding = field(repr=False)
    content_types: tuple[str, ...] = (JSON,)
    upload: FileUpload = NO_UPLOAD
    is_read_only: bool = False
    protocol: ApiProtocol | None = None
    feature: str | None = None
    is_delegable: bool = False
    is_replayable: bool = False
    """Whether a repeat with the same idempotency key is answered with the stored answer."""

    async def run(self, arguments: Mapping[str, Any]) -> Any:
        """Call the handler and return its result, with records converted to the declared answer."""
        result = await self.handler(**arguments)
        if isinstance(result, Answer):
            result.body = to_wire(self.binding.answers, result.body)
            return result
        return to_wire(self.binding.answers, result)

    @property
    def access(self) -> AccessRule:
        """Who may call it."""
        scopes = () if self.scope == ANY_SCOPE else (self.scope or "",)
        return AccessRule(self.callers, scopes, self.feature, self.is_delegable)

    @property
    def full_path(self) -> str:
        """The path from the host root, parameters in braces."""
        return self.prefix + self.path

    @property
    def is_of_store(self) -> bool:
        """Whether the path's parameter ``id`` is a store of the caller's owner."""
        return self.full_path == STORE_PATH or self.full_path.startswith(f"{STORE_PATH}/")

    @property
    def is_rest(self) -> bool:
        """Whether the route is one of the REST API; a protocol of its own says so by ``is_rest``."""
        return self.protocol is None or bool(getattr(self.protocol, "is_rest", False))

    @property
    def operation_id(self) -> str:
        """A name that is unique among all routes, such as ``put_restaurants_id_orders_orderId_status``."""
        words = self.full_path.removeprefix(API_PREFIX).replace("{", "").replace("}", "")
        return "_".join([self.method.lower(), *filter(None, words.replace(".", "/").replace("-", "_").split("/"))])

    def secret_prefixes(self) -> list[str]:
        """List the parts of the path that stand before a parameter whose value is a secret, such as ``/track/``."""
        parts = re.split(r"\{(\w+)\}", self.path)
        return [before for before, name in zip(parts[::2], parts[1::2], strict=False) if is_secret_name(name)]

    @property
    def summary(self) -> str:
        """The first line of the handler's docstring."""
        return (inspect.getdoc(self.handler) or self.operation_id).splitlines()[0]

    @property
    def description(self) -> str:
        """The handler's whole docstring."""
        return inspect.getdoc(self.handler) or ""


class Routes:
    """A group of routes with one tag.

    Handlers name what they need: ``caller``, ``body`` and ``query`` (pydantic models), ``page``, ``call`` (the raw
    request), and the path's parameters, which answer 404 when an ``int`` does not parse. They return a record
    or a list of records, which is converted to the declared answer; a mapping; None for 204; or an ``Answer``.
    """

    def __init__(
        self,
        tag: str,
        *,
        callers: tuple[str, ...] = OWNER,
        prefix: str = API_PREFIX,
        is_documented: bool = True,
        protocol: ApiProtocol | None = None,
        feature: str | None = None,
    ) -> None:
        self.tag = tag
        self._callers = callers
        self._prefix = prefix
        self._is_documented = is_documented
        self._protocol = protocol
        self._feature = feature
        self._routes: list[Route] = []

    def __iter__(self) -> Any:
        return iter(self._routes)

    def alias(self, prefix: str) -> Routes:
        """Return the same routes under another prefix, where they answer without being documented."""
        group = Routes(self.tag, callers=self._callers, prefix=prefix, is_documented=False)
        group._routes = [replace(route, prefix=prefix, is_documented=False) for route in self._routes]
        return group

    def get(self, path: str, **options: Unpack[RouteOptions]) -> Callable[[Handler], Handler]:
        """Declare a GET."""
        return self._declare("GET", path, options)

    def post(self, path: str, **options: Unpack[RouteOptions]) -> Callable[[Handler], Handler]:
        """Declare a POST; it answers 201 unless ``status`` says otherwise."""
        return self._declare("POST", path, {"status": 201, **options})

    def put(self, path: str, **options: Unpack[RouteOptions]) -> Callable[[Handler], Handler]:
        """Declare a PUT."""
        return self._declare("PUT", path, options)

    def patch(self, path: str, **options: Unpack[RouteOptions]) -> Callable[[Handler], Handler]:
        """Declare a PATCH."""
        return self._declare("PATCH", path, options)

    def delete(self, path: str, **options: Unpack[RouteOptions]) -> Callable[[Handler], Handler]:
        """Declare a DELETE; it answers 204 unless ``status`` says otherwise."""
        return self._declare("DELETE", path, {"status": 204, **options})

    def route(self, method: str, path: str, **options: Unpack[RouteOptions]) -> Callable[[Handler], Handler]:
        """Declare ``method`` of ``path``."""
        return self._declare(method, path, options)

    def _declare(self, method: str, path: str, options: RouteOptions) -> Callable[[Handler], Handler]:
        def declare(handler: Handler) -> Handler:
            self._routes.append(self._create(method, path, handler, options))
            return handler

        return declare

    def _create(self, method: str, path: str, handler: Handler, options: RouteOptions) -> Route:
        route = Route(
            method=method,
            path=path,
            handler=handler,
            tag=self.tag,
            prefix=self._prefix,
            callers=options.get("callers", self._callers),
            scope=options.get("scope"),
            status=options.get("status", 200),
            cors=options.get("cors", False),
            headers=options.get("headers", ()),
            is_documented=self._is_documented,
            binding=bind(handler, path, options.get("answers")),
            content_types=options.get("content_types", (JSON,)),
            upload=options.get("upload", NO_UPLOAD),
            is_read_only=options.get("is_read_only", method == "GET"),
            protocol=self._protocol,
            feature=options.get("feature", self._feature),
            is_delegable=options.get("is_delegable", _is_of_stores(path)),
        )
        if not options.get("is_replayable", _creates(route)):
            return route
        return replace(route, is_replayable=True, headers=(*route.headers, (KEY_HEADER, REPLAYED_ANSWER)))


def _creates(route: Route) -> bool:
    """Return whether the route creates something for a known caller and takes no idempotency key itself."""
    creates = route.method == "POST" and route.status in CREATING_STATUSES and not route.is_read_only
    takes_key = any(name == KEY_HEADER for name, _ in route.headers)
    return creates and bool(route.callers) and not takes_key and route.protocol is None


def _is_of_stores(path: str) -> bool:
    return path == STORE_PREFIX or path.startswith(f"{STORE_PREFIX}/")


def paths(groups: Sequence[Routes]) -> list[Route]:
    """Flatten groups into routes."""
    return [route for group in groups for route in group]
