"""What a store's owner writes for the messages that the store sends."""

from collections.abc import Sequence
from typing import Any, Final

from comanda import clock, runtime
from comanda.contracts.callers import Caller
from comanda.contracts.messaging import Channel, MessageTemplate, MessageText
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.stores.services import require_store

from comanda_notifications.languages import canonical
from comanda_notifications.models import OwnText
from comanda_notifications.schemas import TextBody
from comanda_notifications.wording import problems

# More languages than any town speaks; the list of templates shows them all.
MAX_LANGUAGES: Final = 30

SAVE: Final = """
    INSERT INTO notifications_template (owner_id, store_id, name, channel, language, subject, text, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (store_id, owner_id, name, channel, language)
        DO UPDATE SET subject = EXCLUDED.subject, text = EXCLUDED.text, updated_at = EXCLUDED.updated_at
"""
OTHERS: Final = """
    SELECT count(*) FROM notifications_template
    WHERE owner_id = $1 AND store_id = $2 AND name = $3 AND channel = $4 AND language <> $5
"""
# Whoever writes a store's texts waits for whoever else does, so that the number of them is what was counted.
LOCK: Final = "SELECT id FROM core_store WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"


async def page_of_templates(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List the messages that a store may word itself, by name, with all texts in force. Raises ``NotFound``."""
    await require_store(caller, store_id)
    known = [one for _, one in sorted(runtime.registry().message_templates.items()) if one.is_editable]
    shown = known[page.offset() : page.offset() + page.size()]
    own = await OwnText.filter(owner_id=caller.owner_id, store_id=store_id, name__in=[one.name for one in shown])
    return page.envelope([_record(template, own) for template in shown], len(known))


async def write(
    caller: Caller, store_id: int, name: str, channel: str, language: str, body: TextBody
) -> dict[str, Any]:
    """Set a store's own text, and tell it with samples filled in.

    Raises ``NotFound`` for another's store and for a template or a channel of it that there is not;
    ``ValidationFailed`` on ``language``, ``subject`` or ``text``; ``Conflict`` in too many languages.
    """
    await require_store(caller, store_id)
    template, by = _known(name, channel)
    tag = canonical(language)
    if tag is None:
        raise ValidationFailed(language=["Must be a language's BCP 47 tag, such as pt or pt-BR."])
    text = MessageText(body.text, body.subject or None)
    if found := problems(template, by, text, template.fields):
        raise ValidationFailed(found)
    async with sql.transaction():
        await sql.execute(LOCK, store_id, caller.owner_id)
        if await sql.fetch_value(OTHERS, caller.owner_id, store_id, name, by, tag) >= MAX_LANGUAGES:
            raise Conflict(f"This message has texts in {MAX_LANGUAGES} languages already; delete one first.")
        await sql.execute(SAVE, caller.owner_id, store_id, name, by, tag, text.subject, text.text, clock.now())
    return _text_record(template, by, tag, text, is_own=True)


@sql.transaction()
async def delete(caller: Caller, store_id: int, name: str, channel: str, language: str) -> None:
    """Go back to the template's words, if it has any in that language. Raises ``NotFound`` where no own text is."""
    await require_store(caller, store_id)
    _, by = _known(name, channel)
    mine = OwnText.filter(owner_id=caller.owner_id, store_id=store_id, name=name, channel=by)
    if not await mine.filter(language=canonical(language) or "").delete():
        raise NotFound


def _known(name: str, channel: str) -> tuple[MessageTemplate, Channel]:
    template = runtime.registry().message_templates.get(name)
    by = next((one for one in template.channels if one == channel), None) if template is not None else None
    if template is None or by is None or not template.is_editable:
        raise NotFound
    return template, by


def _record(template: MessageTemplate, own: Sequence[OwnText]) -> dict[str, Any]:
    return {
        "name": template.name,
        "about": template.about,
        "channels": list(template.channels),
        "fields": [
            {"name": field, "sample": sample, "is_required": field in template.required}
            for field, sample in template.fields.items()
        ],
        "texts": [text for channel in template.channels for text in _texts(template, channel, own)],
    }


def _texts(template: MessageTemplate, channel: Channel, own: Sequence[OwnText]) -> list[dict[str, Any]]:
    mine = [row for row in own if row.name == template.name and row.channel == channel]
    written = {row.language: MessageText(row.text, row.subject) for row in mine}
    in_force = {**template.texts, **written}
    return [_text_record(template, channel, tag, text, is_own=tag in written) for tag, text in sorted(in_force.items())]


def _text_record(
    template: MessageTemplate, channel: Channel, language: str, text: MessageText, *, is_own: bool
) -> dict[str, Any]:
    try:
        sample = text.filled(template.fields)
    except LookupError:
        # It names a field that this release of the plugin has no more, and is not sent.
        sample = text
    has_subject = channel != "sms"
    return {
        "channel": channel,
        "language": language,
        "subject": text.subject if has_subject else None,
        "text": text.text,
        "is_own": is_own,
        "preview": {"subject": sample.subject if has_subject else None, "text": sample.text},
    }
