"""The operations of the API as the templates of the reference show them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from markupsafe import Markup

from comanda.basics.json_schema import Schema
from comanda.contracts.requests.callers import CallerKind
from comanda.contracts.requests.routes import ANY_SCOPE
from comanda.web.api_reference.answer_samples import AnswerSamples
from comanda.web.api_reference.call_samples import JSON_TYPE, LANGUAGES
from comanda.web.api_reference.catalog import Entry, SectionContent
from comanda.web.api_reference.operation_samples import TokenPlaceholder, create_call, create_placeholder, find_answer
from comanda.web.api_reference.refusals import KINDS
from comanda.web.api_reference.schema_fields import SchemaField, SchemaReader
from comanda.web.documentation.code_blocks import highlight, mark_token
from comanda.web.documentation.markdown_text import render_description

PAGE_FIELDS: Final = frozenset({"data", "current_page", "last_page", "per_page", "total"})
# Longer samples of answers are cut: the fields of the object are all in its list.
MAX_SAMPLE_LINES: Final = 120


@dataclass(frozen=True, slots=True)
class Sample:
    """A piece of code in one language."""

    language: str
    label: str
    html: Markup


@dataclass(frozen=True, slots=True)
class AnswerView:
    """A successful answer: ``model`` is the object that it is, has a page of, or has an array of."""

    status: str
    content_types: list[str]
    shape: str = "none"
    model: str | None = None
    anchor: str | None = None
    fields: list[SchemaField] = field(default_factory=list)
    sample: Markup | None = None


@dataclass(frozen=True, slots=True)
class OperationView:
    """One operation, or one event, of a page."""

    entry: Entry
    path: Markup
    description: Markup
    access: Mapping[str, Any] | None
    parameters: Mapping[str, list[SchemaField]]
    body: SchemaField | None
    uploads: list[str]
    answer: AnswerView | None
    refusals: list[tuple[int, str, str]]
    samples: list[Sample]


@dataclass(frozen=True, slots=True)
class ObjectView:
    """An object that operations of a page answer with, or that an event brings."""

    name: str
    anchor: str
    description: Markup
    fields: list[SchemaField]


class SectionView:
    """Makes the parts of a page from what the catalog has of it, one at a time: some pages have fifty operations."""

    def __init__(self, content: SectionContent, kinds: Mapping[str, CallerKind], site_url: str) -> None:
        self._schemas = content.schemas
        self._kinds = kinds
        self._site_url = site_url
        # What one operation alone answers with stands there; an object of several has a place of its own.
        count = Counter(self._list_models(content.operations))
        self._models = [name for name, times in count.items() if times > 1]
        self._anchors = {name: to_object_anchor(name) for name in self._models}
        self._reader = SchemaReader(content.schemas, self._anchors)
        self._samples = AnswerSamples(content.schemas)

    def create_operation(self, entry: Entry, operation: Mapping[str, Any]) -> OperationView:
        """Return an operation as the page shows it."""
        access = operation["access"]
        body = operation.get("requestBody", {}).get("content", {}).get(JSON_TYPE, {}).get("schema")
        return OperationView(
            entry=entry,
            path=_mark_parameters(entry.path),
            description=_describe(operation, entry),
            access=access and {**access, "has_scope": bool(access["callers"]) and access["scope"] != ANY_SCOPE},
            parameters={
                place: [self._read_parameter(each) for each in operation["parameters"] if each["in"] == place]
                for place in ("path", "query", "header")
            },
            body=self._read_body(body),
            uploads=list(access["uploads"]) if access else [],
            answer=self._create_answer(operation),
            refusals=[(status, code, KINDS[status].message) for status, code in (access or {}).get("refusals", ())],
            samples=list(self._write_samples(operation)),
        )

    def create_event(self, entry: Entry, event: Mapping[str, Any]) -> OperationView:
        """Return an event: what an endpoint receives, with the fields of its ``data``."""
        media = event["requestBody"]["content"][JSON_TYPE]
        delivery = media["examples"]["delivery"]["value"]
        return OperationView(
            entry=entry,
            path=Markup("{}").format(entry.path),
            description=render_description(event["summary"]),
            access=None,
            parameters={},
            body=SchemaField("data", "object", fields=self._reader.list_fields(media["schema"]["properties"]["data"])),
            uploads=[],
            answer=None,
            refusals=[],
            samples=[Sample("json", "JSON", highlight(_to_json(delivery), "json"))],
        )

    def list_objects(self) -> Iterator[ObjectView]:
        """Yield the objects that operations of the page answer with."""
        for name in self._models:
            schema = self._schemas[name]
            fields = self._reader.list_fields({"$ref": name})
            description = render_description(schema.get("description", ""))
            yield ObjectView(name, self._anchors[name], description, fields)

    def _read_body(self, schema: Schema | None) -> SchemaField | None:
        if schema is None:
            return None
        found = self._reader.read(schema)
        if found.anchor:
            found.fields = self._reader.list_fields(schema)
        return found

    def _list_models(self, operations: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        for operation in operations:
            if operation["method"]:
                _, content = find_answer(operation)
                _, model = self._find_shape(content.get(JSON_TYPE, {}).get("schema", {}))
                if model is not None:
                    yield model

    def _find_shape(self, schema: Schema) -> tuple[str, str | None]:
        """Return whether an answer is an object, an array or a page of objects, and the name of the object."""
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            found = self._schemas[name]
            properties = found.get("properties", {})
            if properties.keys() == PAGE_FIELDS and "$ref" in properties["data"].get("items", {}):
                return "page", properties["data"]["items"]["$ref"].rpartition("/")[2]
            return ("object", name) if properties else ("value", None)
        if schema.get("type") == "array" and "$ref" in schema.get("items", {}):
            return "array", schema["items"]["$ref"].rpartition("/")[2]
        return "value", None

    def _create_answer(self, operation: Mapping[str, Any]) -> AnswerView:
        status, content = find_answer(operation)
        types = [kind for kind in content if kind != JSON_TYPE]
        if JSON_TYPE not in content:
            return AnswerView(status, types, "file" if types else "none")
        schema = content[JSON_TYPE]["schema"]
        shape, model = self._find_shape(schema)
        value = self._samples.create(schema)
        anchor = self._anchors.get(model or "")
        fields = []
        if anchor is None:
            read = self._reader.read({"$ref": model} if model else schema)
            fields = read.fields or read.options
        return AnswerView(status, types, shape, model, anchor, fields, highlight(_shorten(_to_json(value)), "json"))

    def _read_parameter(self, parameter: Mapping[str, Any]) -> SchemaField:
        found = self._reader.read(parameter["schema"], parameter["name"], is_required=bool(parameter.get("required")))
        found.description = parameter.get("description") or found.description
        return found

    def _write_samples(self, operation: Mapping[str, Any]) -> Iterator[Sample]:
        call = create_call(operation, self._schemas, self._kinds, self._site_url)
        placeholder = create_placeholder(operation, self._kinds)
        for language, (label, write) in LANGUAGES.items():
            html = highlight(write(call), language)
            yield Sample(language, label, _mark(html, placeholder))


def to_object_anchor(name: str) -> str:
    """Return the anchor of an object on its page."""
    return f"object-{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-')}"


def _mark(html: Markup, placeholder: TokenPlaceholder | None) -> Markup:
    return mark_token(html, placeholder.text, placeholder.prefixes) if placeholder else html


def _mark_parameters(path: str) -> Markup:
    """Return a path in which the names of parameters stand out, and which may break at its slashes."""
    parts = [
        Markup('<span class="parameter">{}</span>').format(part)
        if part.startswith("{")
        else Markup("/<wbr>").join(part.split("/"))
        for part in re.split(r"(\{\w+\})", path)
    ]
    return Markup("").join(parts)


def _describe(operation: Mapping[str, Any], entry: Entry) -> Markup:
    """Return the description without its first sentence, where that is the title."""
    access = operation["access"]
    text = (access["description"] if access else operation["description"]).strip()
    head, dot, rest = text.partition(".")
    return render_description(rest if dot and head.strip() == entry.title else text)


def _to_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _shorten(text: str) -> str:
    lines = text.split("\n")
    return text if len(lines) <= MAX_SAMPLE_LINES else "\n".join([*lines[:MAX_SAMPLE_LINES], "…"])
