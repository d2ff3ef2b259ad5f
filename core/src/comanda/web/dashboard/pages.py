"""Pages of the dashboard: who visits them, the API that they are clients of, and the frame that they are shown in.

    dashboard = DashboardPages("coupons", __name__)          # its ``pages`` go to register_pages

    @dashboard.get("/stores/<int:store_id>/coupons", scope="orders:read")
    async def show_coupons(visit: Visit, store_id: int) -> Response:
        coupons = await visit.api.get("/restaurants/{id}/coupons", id=store_id, query=visit.query("page", "search"))
        return await visit.render("coupons/dashboard/coupons.html", coupons=coupons)

A page calls routes with the caller who is signed in (``visit.api``), so it can do what the person could do over the
API, and nothing else. Addresses are below ``/dashboard``; each POST carries the token of the session's forms.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import wraps
from http import HTTPStatus
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

import orjson
import structlog
from pydantic import BaseModel, create_model
from quart import Blueprint, Response, current_app, g, render_template, request
from werkzeug.datastructures import FileStorage, Headers
from werkzeug.exceptions import HTTPException

from comanda.accounts.web_sessions import WebSession
from comanda.basics.errors import ComandaError, NotFound, ValidationFailed, require_found
from comanda.basics.money import get_exponent
from comanda.contracts.requests.access import AccessRule
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.client_addresses import client_address
from comanda.contracts.requests.routes import OWNER
from comanda.contracts.web.dashboard import PREFIX, Audience, NavigationEntry, Panel
from comanda.contracts.web.pages import Pages
from comanda.platform import runtime
from comanda.platform.http.answers import to_public_error
from comanda.platform.http.internal_api import InternalApi, RequestOrigin
from comanda.platform.observability import plugin_var
from comanda.stores.services import use_known_stores
from comanda.web.api_client import ApiClient, reuse_answers
from comanda.web.dashboard import navigation, people
from comanda.web.dashboard.forms import REFUSALS, Form, read_values
from comanda.web.dashboard.stores import DashboardStore, list_stores
from comanda.web.languages.sentences import translate_sentence
from comanda.web.sign_in.sessions import (
    PRIVATE_HEADERS,
    check_csrf,
    cookie_name,
    create_cookie,
    require_recent_sign_in,
    require_session,
)

log = structlog.get_logger(__name__)

NOTICE_COOKIE: Final = "comanda_notice"
NOTICE_SECONDS: Final = 60
STORE_COOKIE: Final = "comanda_store"
STORE_SECONDS: Final = 30 * 86400
MAX_NOTICE_LENGTH: Final = 500
# The hidden field with which a form that is sent twice is recognised; a new one each time that a page is made.
FORM_KEY_FIELD: Final = "_form_key"
MAX_FORM_KEY_LENGTH: Final = 64

View = Callable[..., Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class DashboardRule:
    """One page or form of the dashboard: its path below ``/dashboard``, and who may use it."""

    method: str
    path: str
    scope: str | None
    audience: Audience
    step_up: bool

    @property
    def access(self) -> AccessRule:
        """Who may use it: the owner, and staff who act for the owner."""
        return AccessRule(OWNER, () if self.scope is None else (self.scope,))


class DashboardPages:
    """The pages of a plugin in the dashboard. ``pages`` is what the plugin registers.

    ``import_name`` is ``__name__`` of a module beside the folder ``templates``, whose templates lie in
    ``<plugin>/dashboard/``, and beside ``static``, if there is one, which is served at ``/dashboard/files/<plugin>``.
    """

    def __init__(self, plugin: str, import_name: str, *, has_static: bool = False) -> None:
        self.blueprint = Blueprint(
            f"{plugin}_dashboard",
            import_name,
            template_folder="templates",
            url_prefix=PREFIX,
            static_folder="static" if has_static else None,
            static_url_path=f"/files/{plugin}" if has_static else None,
        )
        self.pages = Pages(self.blueprint)

    def get(
        self, path: str, *, scope: str | None, audience: Audience = Audience.OWNER, step_up: bool = False
    ) -> Callable[[View], View]:
        """Register a page for people with a scope; None is for everybody who is signed in.

        With ``step_up`` the person must have proved recently who they are.
        """
        return self._register(DashboardRule("GET", path, scope, audience, step_up))

    def post(
        self, path: str, *, scope: str | None, audience: Audience = Audience.OWNER, step_up: bool = False
    ) -> Callable[[View], View]:
        """Register the target of a form; see ``get``."""
        return self._register(DashboardRule("POST", path, scope, audience, step_up))

    def _register(self, rule: DashboardRule) -> Callable[[View], View]:
        def register(handler: View) -> View:
            @wraps(handler)
            async def view(**parameters: Any) -> Any:
                return await _answer(rule, handler, parameters)

            # Read by the tests that go over all pages.
            cast("Any", view).dashboard_rule = rule
            self.blueprint.add_url_rule(rule.path, view_func=view, methods=[rule.method])
            return handler

        return register


@dataclass(slots=True)
class Visit:
    """One request of a signed-in person to a page: who they are, their stores, and how to answer them."""

    session: WebSession
    caller: Caller
    api: ApiClient
    person: people.Person
    stores: list[DashboardStore]
    open_store: DashboardStore | None
    headers: Headers = field(default_factory=Headers)
    # Of the navigation, where panels have asked for it with their own.
    _matches: set[str] | None = None

    @property
    def store(self) -> DashboardStore:
        """The store of the page's path. Raises ``NotFound`` on a page that is of no store."""
        if self.open_store is None:
            raise NotFound
        return self.open_store

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the store that is open, or else UTC."""
        return self.open_store.zone if self.open_store is not None else ZoneInfo("UTC")

    def may(self, scope: str) -> bool:
        """Return whether the person holds a scope."""
        return self.caller.may(scope)

    def query(self, *names: str) -> dict[str, str]:
        """Return these parameters of the page's address, without those that are missing or empty."""
        return {name: value for name in names if (value := request.args.get(name, ""))}

    def to_moments(self, filters: dict[str, str]) -> dict[str, str]:
        """Return the days ``since`` and ``until`` as moments: ``from`` its midnight, ``to`` the end of the last.

        What is no day is removed from the filters.
        """
        found = {}
        for name, parameter, days in (("since", "from", 0), ("until", "to", 1)):
            try:
                day = date.fromisoformat(filters.get(name, "")) + timedelta(days=days)
            except (ValueError, OverflowError):
                filters.pop(name, None)
                continue
            found[parameter] = datetime.combine(day, time(), self.zone).isoformat()
        return found

    def form(
        self, method: str, path: str, values: Mapping[str, Any] | None = None, *, added: Sequence[type[BaseModel]] = ()
    ) -> Form:
        """Return an empty form for the body of a route, or one that shows values; ``added`` have more fields."""
        return Form(_add_fields(self._get_body_model(method, path), added), self.zone, dict(values or {}))

    async def read_form(
        self, method: str, path: str, *, added: Sequence[type[BaseModel]] = (), **parameters: Any
    ) -> Form:
        """Return the form that was sent, ready to be submitted to a route; ``added`` are models of more fields."""
        model = _add_fields(self._get_body_model(method, path), added)
        sent = await request.form

        async def send(values: Any) -> Any:
            return await self.api.request(method, path, body=values, **parameters)

        values = read_values(sent.items(multi=True), model, self.zone, self.decimals)
        return Form(model, self.zone, values, send=send)

    @property
    def decimals(self) -> int:
        """How many decimals amounts have on the page: those of the store's currency, or two."""
        return 2 if self.open_store is None else get_exponent(self.open_store.currency)

    async def read_texts(self) -> dict[str, str]:
        """Return the fields that were sent as texts, the last of each name."""
        return {name: texts[-1] for name, texts in (await request.form).lists() if texts}

    async def read_files(self, name: str) -> list[FileStorage]:
        """Return the files that were sent under a name."""
        return [file for file in (await request.files).getlist(name) if file.filename]

    async def render(self, template: str, *, status: int | None = None, **context: Any) -> Response:
        """Answer with a page in the dashboard's frame. The status of a refused ``form`` is 422."""
        form = context.get("form")
        if status is None:
            status = 422 if isinstance(form, Form) and form.is_refused else 200
        frame = await self._get_frame()
        self._set_form_fields()
        page = await render_template(template, **frame, **context)
        headers = Headers([*PRIVATE_HEADERS.items(), *self.headers.items()])
        if self.open_store is not None and request.cookies.get(cookie_name(STORE_COOKIE)) != str(self.open_store.id):
            headers.add("Set-Cookie", create_cookie(STORE_COOKIE, str(self.open_store.id), max_age=STORE_SECONDS))
        if request.cookies.get(cookie_name(NOTICE_COOKIE)):
            headers.add("Set-Cookie", create_cookie(NOTICE_COOKIE, "", max_age=0))
        return Response(page, status=status, headers=headers)

    async def render_fragment(self, template: str, **context: Any) -> str:
        """Return HTML without the frame, for panels and live parts of a page."""
        self._set_form_fields()
        return await render_template(template, **{"visit": self, "store": self.open_store, **context})

    async def answer_fragment(self, template: str, **context: Any) -> Response:
        """Answer with HTML without the frame."""
        return Response(await self.render_fragment(template, **context), headers=PRIVATE_HEADERS)

    def redirect(self, path: str, *, notice: str | None = None, problem: str | None = None) -> Response:
        """Answer with a redirect to a path below ``/dashboard``, which then shows a sentence."""
        headers = Headers([*PRIVATE_HEADERS.items(), *self.headers.items(), ("Location", PREFIX + path)])
        if text := problem or notice:
            said = orjson.dumps({"kind": "bad" if problem else "good", "text": text[:MAX_NOTICE_LENGTH]})
            headers.add("Set-Cookie", create_cookie(NOTICE_COOKIE, said.hex(), max_age=NOTICE_SECONDS))
        return Response("", status=303, headers=headers)

    async def act(
        self, method: str, path: str, *, to: str, notice: str | None = None, body: object = None,
        **parameters: Any,
    ) -> Response:  # fmt: skip
        """Call a route and redirect to the page ``to``, with the notice or with the sentence of a refusal."""
        try:
            await self.api.request(method, path, body=body, **parameters)
        except ComandaError as error:
            if error.status not in REFUSALS:
                raise
            return self.redirect(to, problem=get_sentence(error))
        return self.redirect(to, notice=notice)

    async def load_panels(self, place: str, subject_id: int) -> list[dict[str, str]]:
        """Return the panels of a place as titles with HTML; one that fails is logged and left out."""
        found = []
        for panel in await self._list_panels(place, subject_id):
            outer = plugin_var.set(runtime.registry().plugin_of(panel))
            try:
                html = await panel.load(self, subject_id)
            except Exception:
                log.exception("panel_failed", panel=panel.name)
                html = None
            finally:
                plugin_var.reset(outer)
            if html:
                found.append({"name": panel.name, "title": panel.title, "html": html})
        return found

    async def _list_panels(self, place: str, subject_id: int) -> list[Panel]:
        panels = [
            panel
            for panel in sorted(runtime.registry().panels, key=lambda one: one.position)
            if panel.place == place and (panel.scope is None or self.may(panel.scope))
        ]
        queries = [panel.is_for for panel in panels if panel.is_for is not None]
        if queries:
            queries += navigation.list_queries(self._list_navigation())
            self._matches = await navigation.find_matches(queries, self.caller.owner_id, subject_id)
        return [panel for panel in panels if panel.is_for is None or panel.is_for in (self._matches or ())]

    async def find_business_path(self) -> str | None:
        """Return the path of the person's first page as a reseller or a developer; None if they are neither."""
        return await navigation.find_business_path(self.caller, self.person.audiences)

    def _get_body_model(self, method: str, path: str) -> Any:
        route = require_found(self.api.internal.find(method, path))
        return route.binding.body

    def _find_last_store(self) -> DashboardStore | None:
        """Return the store that was open last, whose navigation stays on pages that are of no store."""
        last = request.cookies.get(cookie_name(STORE_COOKIE), "")
        return next((store for store in self.stores if str(store.id) == last), next(iter(self.stores), None))

    @property
    def _frame_store(self) -> DashboardStore | None:
        return self.open_store or self._find_last_store()

    def _list_navigation(self) -> list[NavigationEntry]:
        return navigation.list_usable(self.caller, self.person.audiences, self._frame_store)

    async def _get_frame(self) -> dict[str, Any]:
        frame_store, usable, matches = self._frame_store, self._list_navigation(), self._matches
        if matches is None:
            matches = await navigation.find_matches(navigation.list_queries(usable), self.caller.owner_id)
        return {
            "visit": self,
            "navigation": navigation.list_groups(usable, matches, self.caller, frame_store, request.path),
            "stores": self.stores,
            "store": self.open_store,
            "frame_store": frame_store,
            "person": self.person,
            "notices": _read_notices(),
        }

    def _set_form_fields(self) -> None:
        """Set what the forms of ``comanda/parts.html`` contain, which is imported without the context of the page."""
        g.csrf_token = self.session.csrf_token
        g.form_key = secrets.token_urlsafe(16)


def get_sentence(error: ComandaError) -> str:
    """Return what a refusal says, with the fields that it names."""
    if isinstance(error, ValidationFailed) and error.errors:
        return " ".join(translate_sentence(text) for texts in error.errors.values() for text in texts)
    return translate_sentence(error.message)


async def _answer(rule: DashboardRule, handler: View, parameters: Mapping[str, Any]) -> Any:
    session = await require_session(kinds=people.list_session_kinds())
    if rule.method == "POST":
        await check_csrf(session)
    if rule.step_up:
        await require_recent_sign_in(session)
    visit = await _open_visit(session, parameters.get("store_id"))
    try:
        people.check_audience(visit.person, rule.audience)
        if refusal := rule.access.find_refusal(visit.caller):
            raise refusal
        if "store_id" in parameters and visit.open_store is None:
            raise NotFound
        with ExitStack() as stack:
            if rule.method == "GET":
                stack.enter_context(reuse_answers())
                stack.enter_context(use_known_stores(visit.caller.owner_id, [store.row for store in visit.stores]))
            return await handler(visit, **parameters)
    except HTTPException:
        raise
    except Exception as error:
        return await _render_problem(visit, error)


async def _open_visit(session: WebSession, store_id: int | None) -> Visit:
    caller = people.get_caller(session)
    stores = await list_stores(caller)
    known = next((store for store in stores if store.id == store_id), None)
    if known is None and store_id is not None:
        known = next(iter(await list_stores(caller, store_id)), None)
    origin = RequestOrigin(_get_address(), secrets.token_hex(16), f"session:{session.owner_id}:{session.id}")
    # Set when the application is created.
    internal: InternalApi = cast("Any", current_app).internal_api
    form_key = (await request.form).get(FORM_KEY_FIELD, "")[:MAX_FORM_KEY_LENGTH] if request.method == "POST" else ""
    client = ApiClient(internal, caller, origin, form_key or None)
    return Visit(session, caller, client, await people.get_person(session), stores, known)


async def _render_problem(visit: Visit, error: Exception) -> Response:
    known = to_public_error(error)
    if known.status >= 500:
        log.error("page_failed", path=request.path, exc_info=error)
    return await visit.render(
        "comanda/dashboard_problem.html",
        status=known.status,
        name=HTTPStatus(known.status).phrase,
        code=known.status,
        sentence=get_sentence(known),
    )


def _add_fields(model: Any, added: Sequence[type[BaseModel]]) -> Any:
    """Return a model with the fields of others too, for their schemas."""
    fields: dict[str, Any] = {
        name: (field.annotation, field) for each in added for name, field in each.model_fields.items()
    }
    return create_model(model.__name__, __base__=model, **fields) if fields else model


def _get_address() -> str:
    names = ("x-forwarded-for",)
    headers = {name: ",".join(request.headers.getlist(name)) for name in names if name in request.headers}
    return client_address(request.scope, headers, runtime.settings().trusted_proxies)


def _read_notices() -> Sequence[Mapping[str, str]]:
    try:
        said = orjson.loads(bytes.fromhex(request.cookies.get(cookie_name(NOTICE_COOKIE), "")))
        return [{"kind": "bad" if said["kind"] == "bad" else "good", "text": str(said["text"])[:MAX_NOTICE_LENGTH]}]
    except (ValueError, KeyError, TypeError):
        return []
