"""Finds the words of a message: the store's own where it has any in a language that fits, else the template's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from comanda import runtime
from comanda.contracts.messaging import Channel, MessageTemplate, MessageText
from comanda.db import sql

from comanda_notifications.checking import SUBJECT_LENGTH, wrong_length
from comanda_notifications.languages import candidates

# A message of no store is written in the language of the owner's oldest, and in the template's own words.
READ: Final = """
    SELECT s.country, t.language, t.subject, t.text FROM core_store s
    LEFT JOIN notifications_template t ON t.store_id = s.id AND t.owner_id = s.owner_id AND t.name = $3
        AND t.channel = $4 AND $2::bigint IS NOT NULL
    WHERE s.owner_id = $1 AND s.id = coalesce($2, (SELECT min(id) FROM core_store WHERE owner_id = $1))
"""


@dataclass(frozen=True, slots=True)
class Wording:
    """Everything that a template's message may be worded from, for one store and channel."""

    template: MessageTemplate
    channel: Channel
    country: str | None
    own: Mapping[str, MessageText]

    def text(self, values: Mapping[str, object], language: str | None) -> MessageText:
        """Word a message in the best of the languages that there is a text in.

        A text of the store's that these values make too long, or that says nothing with them, is passed over: what is
        sent without anybody looking must arrive. Raises ``LookupError`` where a field has no value.
        """
        if missing := self.template.fields.keys() - values.keys():
            raise LookupError(f"The message template {self.template.name} was given no {min(missing)}.")
        for tag in candidates(language, self.country):
            own = self.own.get(tag)
            # What was right when it was written may lack what another release of the plugin requires.
            if own is not None and not problems(self.template, self.channel, own, values):
                return _shortened(own.filled(values))
            if tag in self.template.texts:
                return _shortened(self.template.texts[tag].filled(values))
        raise AssertionError("every template has a text in English")


def find(name: str) -> MessageTemplate:
    """Return a template. Raises ``LookupError`` for one that no plugin declares."""
    return runtime.registry().message_templates[name]


async def load(name: str, channel: Channel, owner_id: int, store_id: int | None) -> Wording:
    """Read what a store has written for a template. Raises ``LookupError`` for what no plugin declares."""
    template = find(name)
    if channel not in template.channels:
        raise LookupError(f"The message template {name} has no texts for {channel}.")
    rows = await sql.fetch(READ, owner_id, store_id, name, channel)
    own = {row["language"]: MessageText(row["text"], row["subject"]) for row in rows if row["language"]}
    return Wording(template, channel, rows[0]["country"] if rows else None, own)


def problems(
    template: MessageTemplate, channel: Channel, text: MessageText, values: Mapping[str, object]
) -> dict[str, list[str]]:
    """Tell what keeps a text from being sent for a template, by ``subject`` and ``text``; with these values."""
    found = {part: _wrong_fields(template, words) for part, words in (("subject", text.subject), ("text", text.text))}
    missing = [field for field in template.required if f"{{{field}}}" not in text.text]
    if missing:
        found["text"] += [f"Must contain {{{field}}}." for field in missing]
    if channel == "sms" and text.subject is not None:
        found["subject"].append("An SMS has no subject.")
    if channel != "sms" and not text.subject:
        found["subject"].append("This field is required.")
    if not found["text"] and (length := wrong_length(text.filled(values).text.strip(), channel)):
        found["text"].append(length)
    return {part: sentences for part, sentences in found.items() if sentences}


def _wrong_fields(template: MessageTemplate, words: str | None) -> list[str]:
    try:
        unknown = MessageText(words or "").fields() - template.fields.keys()
    except ValueError as error:
        return [str(error)]
    known = ", ".join(f"{{{field}}}" for field in template.fields)
    return [f"There is no {{{field}}} in this message, but: {known}." for field in sorted(unknown)]


def _shortened(text: MessageText) -> MessageText:
    return MessageText(text.text, None if text.subject is None else text.subject[:SUBJECT_LENGTH])
