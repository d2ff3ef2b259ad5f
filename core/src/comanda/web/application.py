"""The Quart application that serves pages: each request has a deadline, and its log lines name the plugin."""

from collections.abc import Callable, Mapping, MutableMapping
from types import CodeType
from typing import Any, Final, Self, cast

import markupsafe
from jinja2 import Template
from jinja2.runtime import Context, Macro
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from quart import Quart, Response
from quart.ctx import RequestContext
from quart.routing import QuartRule
from quart.templating import Environment
from quart.typing import ResponseTypes

from comanda.platform import runtime, tracing
from comanda.platform.deadlines import Deadline, DeadlineExceeded
from comanda.platform.http.answers import create_timeout_error
from comanda.platform.http.internal_api import InternalApi
from comanda.platform.observability import plugin_var
from comanda.platform.routing_rules import LazyRule
from comanda.web import order_fields, theme_choice
from comanda.web.languages import translations
from comanda.web.languages.selection import LANGUAGES, Language, choose_language, current_language

# What ``markupsafe.escape`` does with a text, before it wraps it.
escape_text: Final[Callable[[str], str]] = cast("Any", markupsafe)._escape_inner


class PageRule(LazyRule, QuartRule):
    """The address of a page."""


class PageTemplate(Template):
    """A template that awaits nothing, so that its parts are plain calls, which take half as long as awaited ones."""

    @classmethod
    def from_code(cls, environment: Any, code: CodeType, *arguments: Any, **values: Any) -> Self:
        """Return a template that joins what it shows without wrapping each part as ``Markup`` first."""
        template = super().from_code(environment, code, *arguments, **values)
        template.root_render_func.__globals__["escape"] = _escape
        return cast("Self", template)

    async def render_async(self, *arguments: Any, **context: Any) -> str:
        """Return the page."""
        return self.render(*arguments, **context)


class PageContext(Context):
    """The context of a template. Nearly all that templates call are macros and texts, whose parameters are known."""

    def call(self, called: Any, /, *arguments: Any, **values: Any) -> Any:
        """Return what a call in a template returns."""
        if type(called) is not Macro and called is not translations.render_text:
            return super().call(called, *arguments, **values)
        values.pop("_loop_vars", None)
        values.pop("_block_vars", None)
        return called(self.eval_ctx, *arguments, **values)


class PageTemplates(Environment):
    """The templates of pages. What they show has been loaded by those who render them."""

    template_class = PageTemplate
    context_class = PageContext

    def __init__(self, app: Quart, **options: Any) -> None:
        super().__init__(app, **options)
        self.is_async = False

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template, which mostly are those of all, as one mapping and not as a chain."""
        return super().make_globals(d) if d else self.globals


class PageApplication(Quart):
    """Serves pages. ``plugins`` are the plugins of blueprints, by name; ``internal_api`` runs routes for them."""

    jinja_environment = PageTemplates
    url_rule_class = PageRule

    def __init__(self, timeout_seconds: float) -> None:
        # Static files are those of the pages, each under an address of its own.
        super().__init__("comanda", static_folder=None)
        self.plugins: Mapping[str, str] = {}
        self.internal_api: InternalApi | None = None
        self._timeout_seconds = timeout_seconds
        _add_translations(self)

    async def full_dispatch_request(self, request_context: RequestContext | None = None) -> ResponseTypes:
        """Answer a request, or with an error page after the time limit; a streamed response has none."""
        answer = await self._dispatch_in_time(request_context)
        if request_context is not None:
            request = request_context.request
            rule = request.url_rule.rule if request.url_rule is not None else "unknown"
            tracing.describe_request(request.method, rule, answer.status_code)
        return answer

    async def _dispatch_in_time(self, request_context: RequestContext | None) -> ResponseTypes:
        blueprint = request_context.request.blueprint if request_context is not None else None
        plugin_var.set(self.plugins.get((blueprint or "").partition(".")[0]))
        try:
            with Deadline(self._timeout_seconds):
                if request_context is not None:
                    await translations.load_language(_choose_language(request_context))
                return await super().full_dispatch_request(request_context)
        except DeadlineExceeded as error:
            failure: Exception = create_timeout_error(self._timeout_seconds)
            failure.__cause__ = error
        except SystemExit as error:
            failure = RuntimeError(f"A page raised {error!r}.")
        answer = await self.handle_user_exception(failure)
        return await self.finalize_request(answer, request_context)


def _escape(value: Any) -> Any:
    """Return what a template shows of a value, as ``markupsafe.escape`` does."""
    kind = type(value)
    if kind is Markup:
        return value
    return escape_text(value) if kind is str else markupsafe.escape(value)


def _add_translations(app: Quart) -> None:
    templates = app.jinja_env
    translations.add_translations(templates)
    templates.globals["script_texts"] = _render_script_texts
    templates.globals["item_words"] = _render_item_words
    templates.globals["item_questions"] = _render_item_questions
    templates.globals["map_tiles"] = _get_map_tiles
    templates.globals["languages"] = LANGUAGES
    app.context_processor(_get_language_context)
    app.context_processor(theme_choice.get_theme_context)
    app.after_request(_set_language_headers)


def _render_script_texts(plugin: str) -> Markup:
    """Return the element with the translations for the scripts of a plugin; nothing in English."""
    texts = translations.list_script_texts(plugin)
    if not texts:
        return Markup()
    return Markup('<script type="application/json" data-texts>{}</script>').format(htmlsafe_json_dumps(texts))


def _render_item_words() -> Markup:
    """Return the element with the names of fields and codes of items, for scripts that show what lines contain."""
    words = {
        code: translations.gettext(label)
        for capability in runtime.registry().item_capabilities.values()
        for code, label in capability.words.items()
    }
    return Markup('<script type="application/json" data-item-words>{}</script>').format(htmlsafe_json_dumps(words))


def _render_item_questions() -> Markup:
    """Return the element with what staff are asked about all items of an order, for the scripts that take one."""
    questions = htmlsafe_json_dumps(order_fields.list_item_questions())
    return Markup('<script type="application/json" data-item-questions>{}</script>').format(questions)


def _get_map_tiles() -> tuple[str, str] | None:
    """Return the URL template of map tiles and their attribution, if the installation has some."""
    settings = runtime.settings()
    return (settings.map_tiles_url, settings.map_attribution) if settings.map_tiles_url else None


def _choose_language(context: RequestContext) -> Language:
    headers = context.request.headers
    known = ("cookie", "accept-language")
    return choose_language({name: headers[name] for name in known if name in headers})


async def _get_language_context() -> dict[str, str]:
    language = current_language()
    return {"page_language": language.code, "page_direction": language.direction}


async def _set_language_headers(response: Response) -> Response:
    """Say in which language a page is, and that another request may get it in another one."""
    if response.mimetype == "text/html":
        response.headers.setdefault("Content-Language", current_language().code)
        response.vary.update(("Accept-Language", "Cookie"))
    return response
