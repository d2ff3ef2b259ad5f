"""Texts of template messages: the store's own in a suitable language, else the template's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from comanda.contracts import Channel, MessageTemplate, MessageText
from comanda.platform import runtime
from comanda.platform.db import sql

from comanda_notifications.services.languages import list_candidates
from comanda_notifications.services.validation import MAX_SUBJECT_LENGTH, find_length_problem

# A message without a store uses the template's texts, in the language of the owner's oldest store.
SELECT_TEXTS: Final = """
    SELECT s.country, t.language, t.subject, t.text FROM core_store_v1 s
    LEFT JOIN notifications_template t ON t.store_id = s.id AND t.owner_id = s.owner_id AND t.name = $3
        AND t.channel = $4 AND $2::bigint IS NOT NULL
    WHERE s.owner_id = $1 AND s.id = coalesce($2, (SELECT min(id) FROM core_store_v1 WHERE owner_id = $1))
"""


@dataclass(frozen=True, slots=True)
class TemplateTexts:
    """The texts of a template for one store and channel."""

    template: MessageTemplate
    channel: Channel
    country: str | None
    own: Mapping[str, MessageText]

    def render(self, values: Mapping[str, object], language: str | None) -> MessageText:
        """Return the text in the best available language, with the values filled in.

        A store's own text is skipped if these values make it too long or empty, because automatic messages must be
        deliverable. Raises ``LookupError`` if a field has no value.
        """
        if missing := self.template.fields.keys() - values.keys():
            raise LookupError(f"The message template {self.template.name} needs a value for {min(missing)}.")
        for tag in list_candidates(language, self.country):
            own = self.own.get(tag)
            # A text that was valid when it was saved may lack a field that a later release requires.
            if own is not None and not find_problems(self.template, self.channel, own, values):
                return _shorten_subject(own.filled(values))
            if tag in self.template.texts:
                return _shorten_subject(self.template.texts[tag].filled(values))
        raise AssertionError("every template has a text in English")


def get_template(name: str) -> MessageTemplate:
    """Return a registered template. Raises ``LookupError``."""
    return runtime.registry().message_templates[name]


async def load_texts(name: str, channel: Channel, owner_id: int, store_id: int | None) -> TemplateTexts:
    """Return a template's texts with the store's own. Raises ``LookupError`` for an unknown template or channel."""
    template = get_template(name)
    if channel not in template.channels:
        raise LookupError(f"The message template {name} has no texts for {channel}.")
    rows = await sql.fetch(SELECT_TEXTS, owner_id, store_id, name, channel)
    own = {row["language"]: MessageText(row["text"], row["subject"]) for row in rows if row["language"]}
    return TemplateTexts(template, channel, rows[0]["country"] if rows else None, own)


def find_problems(
    template: MessageTemplate, channel: Channel, text: MessageText, values: Mapping[str, object]
) -> dict[str, list[str]]:
    """Return the errors of a text with these values, by ``subject`` and ``text``; empty if it can be sent."""
    found = {
        part: _find_unknown_fields(template, words) for part, words in (("subject", text.subject), ("text", text.text))
    }
    missing = [field for field in template.required if f"{{{field}}}" not in text.text]
    if missing:
        found["text"] += [f"Must contain {{{field}}}." for field in missing]
    if channel == "sms" and text.subject is not None:
        found["subject"].append("Must be empty for an SMS.")
    if channel != "sms" and not text.subject:
        found["subject"].append("This field is required.")
    # Without the subject, which may have unknown fields.
    if not found["text"] and (
        length := find_length_problem(MessageText(text.text).filled(values).text.strip(), channel)
    ):
        found["text"].append(length)
    return {part: sentences for part, sentences in found.items() if sentences}


def _find_unknown_fields(template: MessageTemplate, words: str | None) -> list[str]:
    try:
        unknown = MessageText(words or "").fields() - template.fields.keys()
    except ValueError as error:
        return [str(error)]
    known = ", ".join(f"{{{field}}}" for field in template.fields)
    return [f"Unknown field {{{field}}}. Available fields: {known}." for field in sorted(unknown)]


def _shorten_subject(text: MessageText) -> MessageText:
    return MessageText(text.text, None if text.subject is None else text.subject[:MAX_SUBJECT_LENGTH])
