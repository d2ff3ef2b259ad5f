"""Messages of a store in the dashboard: the log, what guests are told, and its own texts."""

from typing import Any, Final

from comanda.basics import NotFound
from comanda.contracts import CHANNELS
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

dashboard: Final = DashboardPages("notifications", __name__)

MESSAGES: Final = "/restaurants/{id}/messages"
CHANNEL_STATES: Final = "/restaurants/{id}/message-channels"
ORDER_MESSAGES: Final = "/restaurants/{id}/order-messages"
TEMPLATES: Final = "/restaurants/{id}/message-templates"
TEXT: Final = f"{TEMPLATES}/{{name}}/{{channel}}/{{language}}"
TEMPLATE_PAGE: Final = "/stores/<int:store_id>/messages/templates/<name>"
MAX_TEMPLATES: Final = 100
FALLBACK_LANGUAGE: Final = "en"

CHANNEL_LABELS: Final = {"email": N_("E-mail"), "sms": N_("SMS"), "push": N_("Push")}
ORDER_MESSAGE_LABELS: Final = (
    ("received", N_("The order was received")),
    ("ready", N_("The order is ready")),
    ("on_its_way", N_("The driver is on the way")),
    ("near", N_("The driver is near")),
    ("delivered", N_("The order was delivered")),
    ("failed", N_("The order could not be delivered")),
    ("cancelled", N_("The order was cancelled")),
)
TABS: Final = (("", N_("Log")), ("/orders", N_("About orders")), ("/templates", N_("Texts")))


@dashboard.get("/stores/<int:store_id>/messages", scope="orders:read")
async def list_messages(visit: Visit, store_id: int) -> Response:
    """Show what was sent to whom, and what failed."""
    filters = visit.query("status", "channel", "search", "page")
    messages = await visit.api.get(MESSAGES, id=store_id, query=filters)
    titles = {each["name"]: each["about"] for each in await _list_templates(visit)}
    for message in messages["data"]:
        message["about"] = titles.get(message["purpose"], message["purpose"])
    return await _render(visit, "messages", "", messages=messages, filters=filters, channels=await _list_states(visit))


@dashboard.get("/stores/<int:store_id>/messages/orders", scope="restaurants:read")
async def show_order_messages(visit: Visit, store_id: int) -> Response:
    """Show what guests are told about their orders."""
    values = await visit.api.get(ORDER_MESSAGES, id=store_id)
    return await _render_order_messages(visit, visit.form("PUT", ORDER_MESSAGES, values))


@dashboard.post("/stores/<int:store_id>/messages/orders", scope="restaurants:write")
async def update_order_messages(visit: Visit, store_id: int) -> Response:
    """Save what guests are told about their orders."""
    form = await visit.read_form("PUT", ORDER_MESSAGES, id=store_id)
    if await form.submit() is None:
        return await _render_order_messages(visit, form)
    return visit.redirect(f"/stores/{store_id}/messages/orders", notice=_("Messages about orders saved."))


@dashboard.get("/stores/<int:store_id>/messages/templates", scope="restaurants:read")
async def list_templates(visit: Visit, store_id: int) -> Response:
    """Show the messages whose texts can be changed."""
    templates = await _list_templates(visit)
    return await _render(visit, "templates", "/templates", templates=templates, labels=_label_channels())


@dashboard.get(TEMPLATE_PAGE, scope="restaurants:read")
async def show_template(visit: Visit, store_id: int, name: str) -> Response:
    """Show the text of a message for a channel and a language, with a preview."""
    template = await _get_template(visit, name)
    channel, language = _choose(template, visit.query("channel", "language"))
    text = _find_text(template, channel, language)
    return await _render_template(visit, template, channel, language, visit.form("PUT", TEXT, text))


@dashboard.post(TEMPLATE_PAGE, scope="restaurants:write")
async def update_text(visit: Visit, store_id: int, name: str) -> Response:
    """Save the store's own text."""
    template = await _get_template(visit, name)
    channel, language = _choose(template, await visit.read_texts())
    place: dict[str, Any] = {"id": store_id, "name": name, "channel": channel, "language": language}
    form = await visit.read_form("PUT", TEXT, **place)
    form.values = {field: form.values.get(field) for field in ("subject", "text")}
    if await form.submit() is None:
        return await _render_template(visit, template, channel, language, form)
    return visit.redirect(_get_path(visit, name, channel, language), notice=_("Text saved."))


@dashboard.post(f"{TEMPLATE_PAGE}/reset", scope="restaurants:write")
async def reset_text(visit: Visit, store_id: int, name: str) -> Response:
    """Delete the store's own text, so that the one that comes with the message is used again."""
    template = await _get_template(visit, name)
    channel, language = _choose(template, await visit.read_texts())
    place = {"id": store_id, "name": name, "channel": channel, "language": language}
    to = _get_path(visit, name, channel, FALLBACK_LANGUAGE)
    return await visit.act("DELETE", TEXT, to=to, notice=_("The original text is used again."), **place)


async def _list_templates(visit: Visit) -> list[Any]:
    query = {"per_page": MAX_TEMPLATES}
    templates: list[Any] = (await visit.api.get(TEMPLATES, id=visit.store.id, query=query))["data"]
    for template in templates:
        template["about"] = _(template["about"])
    return templates


async def _get_template(visit: Visit, name: str) -> Any:
    for template in await _list_templates(visit):
        if template["name"] == name:
            return template
    raise NotFound


def _choose(template: Any, given: dict[str, str]) -> tuple[str, str]:
    channel = given.get("channel", "")
    language = given.get("language", "").strip() or FALLBACK_LANGUAGE
    return (channel if channel in template["channels"] else template["channels"][0]), language


def _find_text(template: Any, channel: str, language: str) -> Any:
    """Return the text in force, for a new language the English one to start from."""
    texts = {text["language"]: text for text in template["texts"] if text["channel"] == channel}
    return texts.get(language) or {**texts[FALLBACK_LANGUAGE], "is_own": False, "preview": None}


def _get_path(visit: Visit, name: str, channel: str, language: str) -> str:
    return f"/stores/{visit.store.id}/messages/templates/{name}?channel={channel}&language={language}"


def _label_channels() -> dict[str, str]:
    return {channel: _(CHANNEL_LABELS[channel]) for channel in CHANNELS}


async def _list_states(visit: Visit) -> list[Any]:
    if not visit.api.has("GET", CHANNEL_STATES):
        return []
    states: list[Any] = await visit.api.get(CHANNEL_STATES, id=visit.store.id)
    return states


async def _render(visit: Visit, name: str, current: str, **context: Any) -> Response:
    base = f"/dashboard/stores/{visit.store.id}/messages"
    tabs = [(_(label), base + path, path == current) for path, label in TABS]
    context = {"labels": _label_channels(), **context}
    return await visit.render(f"notifications/dashboard/{name}.html", tabs=tabs, **context)


async def _render_order_messages(visit: Visit, form: Form) -> Response:
    messages = [(code, _(label)) for code, label in ORDER_MESSAGE_LABELS]
    return await _render(
        visit, "order_messages", "/orders", form=form, messages=messages, channels=await _list_states(visit)
    )


async def _render_template(visit: Visit, template: Any, channel: str, language: str, form: Form) -> Response:
    text = _find_text(template, channel, language)
    languages = sorted({each["language"] for each in template["texts"] if each["channel"] == channel} | {language})
    return await _render(
        visit,
        "template",
        "/templates",
        message=template,
        channel=channel,
        language=language,
        language_tags=languages,
        text=text,
        form=form,
    )
