"""A store's own texts, which override those of message templates."""

from collections.abc import Sequence
from typing import Final

from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, clock
from comanda.contracts import Caller, Channel, MessageTemplate, MessageText, PageRequest, RecordPage
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_notifications.models import TemplateOverride
from comanda_notifications.records import EditableTemplate, TemplateField, TemplateText, TextPreview
from comanda_notifications.schemas import TextBody
from comanda_notifications.services.languages import normalize_tag
from comanda_notifications.services.template_texts import find_problems

# The list of templates returns all of them.
MAX_LANGUAGES: Final = 30

UPSERT_OVERRIDE: Final = """
    INSERT INTO notifications_template (owner_id, store_id, name, channel, language, subject, text, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (store_id, owner_id, name, channel, language)
        DO UPDATE SET subject = EXCLUDED.subject, text = EXCLUDED.text, updated_at = EXCLUDED.updated_at
"""
COUNT_OTHER_LANGUAGES: Final = """
    SELECT count(*) FROM notifications_template
    WHERE owner_id = $1 AND store_id = $2 AND name = $3 AND channel = $4 AND language <> $5
"""
# Serializes changes of a store's texts, so that the limit holds under concurrency.
LOCK_STORE: Final = "SELECT id FROM core_store_v1 WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"


async def list_templates(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[EditableTemplate]:
    """List the messages with editable texts by name, with all current texts. Raises ``NotFound``."""
    await require_store(caller, store_id)
    known = [one for _, one in sorted(runtime.registry().message_templates.items()) if one.is_editable]
    shown = known[page.offset() : page.offset() + page.size()]
    own = await TemplateOverride.filter(
        owner_id=caller.owner_id, store_id=store_id, name__in=[one.name for one in shown]
    )
    return page.of([_to_editable_template(template, own) for template in shown], len(known))


async def update_override(
    caller: Caller, store_id: int, name: str, channel: str, language: str, body: TextBody
) -> TemplateText:
    """Create or replace a store's own text and return it with a preview.

    Raises ``NotFound`` for another owner's store and for an unknown template or channel; ``ValidationFailed`` on
    ``language``, ``subject`` or ``text``; ``Conflict`` beyond ``MAX_LANGUAGES``.
    """
    await require_store(caller, store_id)
    template, by = _get_template(name, channel)
    tag = normalize_tag(language)
    if tag is None:
        raise ValidationFailed(language=["Must be a BCP 47 language tag, such as pt or pt-BR."])
    text = MessageText(body.text, body.subject or None)
    if found := find_problems(template, by, text, template.fields):
        raise ValidationFailed(found)
    async with sql.transaction():
        await sql.execute(LOCK_STORE, store_id, caller.owner_id)
        if await sql.fetch_value(COUNT_OTHER_LANGUAGES, caller.owner_id, store_id, name, by, tag) >= MAX_LANGUAGES:
            raise Conflict(
                Sentence(
                    "This message already has texts in %(limit)s languages. Delete one first.", limit=MAX_LANGUAGES
                )
            )
        await sql.execute(
            UPSERT_OVERRIDE, caller.owner_id, store_id, name, by, tag, text.subject, text.text, clock.now()
        )
    return _to_template_text(template, by, tag, text, is_own=True)


@sql.transaction()
async def delete_override(caller: Caller, store_id: int, name: str, channel: str, language: str) -> None:
    """Delete a store's own text, so that the template's applies again. Raises ``NotFound`` if there is none."""
    await require_store(caller, store_id)
    _, by = _get_template(name, channel)
    mine = TemplateOverride.filter(owner_id=caller.owner_id, store_id=store_id, name=name, channel=by)
    if not await mine.filter(language=normalize_tag(language) or "").delete():
        raise NotFound


def _get_template(name: str, channel: str) -> tuple[MessageTemplate, Channel]:
    template = runtime.registry().message_templates.get(name)
    by = next((one for one in template.channels if one == channel), None) if template is not None else None
    if template is None or by is None or not template.is_editable:
        raise NotFound
    return template, by


def _to_editable_template(template: MessageTemplate, own: Sequence[TemplateOverride]) -> EditableTemplate:
    return EditableTemplate(
        name=template.name,
        about=template.about,
        channels=template.channels,
        fields=[
            TemplateField(field, sample, is_required=field in template.required)
            for field, sample in template.fields.items()
        ],
        texts=[text for channel in template.channels for text in _list_texts(template, channel, own)],
    )


def _list_texts(template: MessageTemplate, channel: Channel, own: Sequence[TemplateOverride]) -> list[TemplateText]:
    mine = [row for row in own if row.name == template.name and row.channel == channel]
    written = {row.language: MessageText(row.text, row.subject) for row in mine}
    in_force = {**template.texts, **written}
    return [
        _to_template_text(template, channel, tag, text, is_own=tag in written) for tag, text in sorted(in_force.items())
    ]


def _to_template_text(
    template: MessageTemplate, channel: Channel, language: str, text: MessageText, *, is_own: bool
) -> TemplateText:
    try:
        sample = text.filled(template.fields)
    except LookupError:
        # It uses a field that this release of the plugin no longer has, and is not sent.
        sample = text
    has_subject = channel != "sms"
    return TemplateText(
        channel=channel,
        language=language,
        subject=text.subject if has_subject else None,
        text=text.text,
        is_own=is_own,
        preview=TextPreview(sample.subject if has_subject else None, sample.text),
    )
