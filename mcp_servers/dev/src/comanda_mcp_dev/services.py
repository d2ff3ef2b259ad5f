"""What the tools do."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from typing import Any, Final

from comanda import runtime
from comanda.errors import NotFound, Unavailable

from comanda_mcp_dev import reference
from comanda_mcp_dev.index import index_of
from comanda_mcp_dev.overview import overview, summary_of
from comanda_mcp_dev.schemas import ChunkOut, FullDocument, Overview, SearchResult
from comanda_mcp_dev.theme_schemas import (
    FilterOut,
    FindingOut,
    LiquidReference,
    ObjectOut,
    PropertyOut,
    SectionExample,
    SectionSchemaAnswer,
    Summary,
    TagOut,
    ThemeReport,
)
from comanda_mcp_dev.themes import isolation
from comanda_mcp_dev.themes.findings import Report, Severity
from comanda_mcp_dev.themes.section_schema import SectionSchema, SettingsGroup

ABOUT_LIQUID: Final = (
    "Liquid of themes: these tags, filters and objects and no others. Output is escaped. Amounts are numbers in the "
    "store's currency, for the filter money; moments are for the filter time. Fetch the chapter themes for the rest."
)
ABOUT_SECTIONS: Final = (
    "A file of sections/ ends in {% schema %}, JSON by the schema `section`, {% endschema %}. Its settings are read as "
    "section.settings.ID, those of a block as block.settings.ID. config/settings_schema.json is a list of groups by "
    "the schema `theme_settings`, read as settings.ID."
)
# One theme at a time, so that checks leave a processor to orders; who would have to wait for long is told to come back.
MOST_WAITING: Final = 4

_checks = ThreadPoolExecutor(max_workers=1, thread_name_prefix="theme-check")
_waiting = 0


def learn(topic: str | None) -> Overview:
    """Describe this installation."""
    return overview(runtime.registry(), runtime.settings().site_url, topic)


def search(query: str, limit: int) -> SearchResult:
    """Find chunks of the chapters that are installed."""
    hits = index_of(runtime.registry()).search(query, limit)
    return SearchResult(
        chunks=[
            ChunkOut(
                id=hit.chunk.id,
                chapter=hit.chunk.document.name,
                title=hit.chunk.document.title,
                heading=hit.chunk.heading,
                text=hit.chunk.text,
                score=round(hit.score, 3),
            )
            for hit in hits
        ]
    )


def full_document(id: str) -> FullDocument:
    """Return a whole chapter. Raises ``NotFound`` for what is not among those that are installed."""
    found = index_of(runtime.registry()).document_of(id)
    if found is None:
        raise NotFound("There is no such chapter here. learn_platform lists them, and search_docs finds in them.")
    return FullDocument(**summary_of(found, runtime.settings().site_url), text=found.text)


def liquid_reference(name: str | None, kind: str | None) -> LiquidReference:
    """Return the reference, or one kind of entry, or the entries of one name. Raises ``NotFound`` for none."""
    made = LiquidReference(
        about=ABOUT_LIQUID,
        tags=[] if kind not in {None, "tag"} else [_tag(tag) for tag in reference.tags().values()],
        filters=[] if kind not in {None, "filter"} else [FilterOut(**one) for one in reference.filters().values()],
        objects=[] if kind not in {None, "object"} else [_object(one) for one in reference.objects().values()],
    )
    if name is None:
        return made
    entries: dict[str, Any] = {
        kinds: [entry for entry in getattr(made, kinds) if entry.name == name]
        for kinds in ("tags", "filters", "objects")
    }
    if not any(entries.values()):
        raise NotFound("Themes have no tag, filter or object of that name. Without a name all are listed.")
    return LiquidReference(about=ABOUT_LIQUID, **entries)


def section_schema(name: str | None) -> SectionSchemaAnswer:
    """Return the schemas, and the examples or one of them. Raises ``NotFound`` for an example that is none."""
    found = [example for example in _examples() if name in {None, example.name}]
    if not found:
        raise NotFound(f"There is no such example. There are: {', '.join(one.name for one in _examples())}.")
    return SectionSchemaAnswer(
        about=ABOUT_SECTIONS,
        section=SectionSchema.model_json_schema(),
        theme_settings={"type": "array", "items": SettingsGroup.model_json_schema()},
        examples=found,
    )


async def validate_theme(theme: dict[str, str]) -> ThemeReport:
    """Check a theme in a process of its own. Raises ``Unavailable`` while too many wait, and ``ThemeTooComplex``."""
    global _waiting  # noqa: PLW0603 - the count of this process
    if _waiting >= MOST_WAITING:
        raise Unavailable("Other themes are being checked. Try again shortly.", retry_after_seconds=5)
    _waiting += 1
    try:
        loop = asyncio.get_running_loop()
        report = await loop.run_in_executor(_checks, isolation.check, theme, _item_fields())
    finally:
        _waiting -= 1
    return _report(report, len(theme))


def _report(report: Report, count: int) -> ThemeReport:
    errors = report.count(Severity.ERROR)
    return ThemeReport(
        summary=Summary(
            is_valid=not errors,
            errors=errors,
            warnings=report.count(Severity.WARNING),
            files=count,
            files_checked=report.checked,
            findings_left_out=report.left_out,
        ),
        findings=[
            FindingOut(file=one.file, line=one.line, severity=one.severity, rule=one.rule, message=one.message)
            for one in report.findings
        ],
    )


def _item_fields() -> frozenset[str]:
    capabilities = runtime.registry().item_capabilities.values()
    return frozenset(name for capability in capabilities for name in capability.fields.model_fields)


def _tag(entry: Any) -> TagOut:
    shown = {name: entry[name] for name in ("name", "syntax", "summary", "example")}
    return TagOut(**shown, closed_by=entry.get("block"))


def _object(found: reference.ThemeObject) -> ObjectOut:
    properties = [PropertyOut(name=one.name, type=one.type, summary=one.summary) for one in found.properties]
    if found.name == "item":
        known = {one.name for one in found.properties}
        properties += [
            PropertyOut(name=name, type="any", summary="A field of an item capability; nil in stores without it.")
            for name in sorted(_item_fields() - known)
        ]
    return ObjectOut(name=found.name, type=found.type, where=found.where, summary=found.summary, properties=properties)


@cache
def _examples() -> tuple[SectionExample, ...]:
    folder = files("comanda_mcp_dev").joinpath("examples")
    return tuple(_example(path.name.removesuffix(".liquid"), path) for path in _sorted(folder))


def _sorted(folder: Any) -> list[Any]:
    return sorted((path for path in folder.iterdir() if path.name.endswith(".liquid")), key=lambda path: path.name)


def _example(name: str, path: Any) -> SectionExample:
    text = path.read_text(encoding="utf-8")
    summary = text.partition("{% #")[2].partition("%}")[0].strip()
    return SectionExample(name=name, summary=summary, path=f"sections/{name}.liquid", liquid=text)
