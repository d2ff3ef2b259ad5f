"""The schema of theme sections, and examples of sections."""

from functools import cache
from typing import Final

from comanda.basics import NotFound
from comanda_themes.api import SectionSchema, SettingsGroup, load_default_theme

from comanda_mcp_dev.schemas.themes import SectionExample, SectionSchemaAnswer

SECTIONS_FOLDER: Final = "sections/"
ABOUT_SECTIONS: Final = (
    "A file of sections/ ends in {% schema %}, JSON by the schema `section`, {% endschema %}. Its settings are read as "
    "section.settings.ID, those of a block as block.settings.ID. config/settings_schema.json is a list of groups by "
    "the schema `theme_settings`, read as settings.ID."
)


def get_section_schema(name: str | None) -> SectionSchemaAnswer:
    """Return the schemas with all examples or one of them. Raises ``NotFound`` for an unknown example."""
    found = [example for example in _load_examples() if name in {None, example.name}]
    if not found:
        raise NotFound(
            f"There is no such example. Available examples: {', '.join(one.name for one in _load_examples())}."
        )
    return SectionSchemaAnswer(
        about=ABOUT_SECTIONS,
        section=SectionSchema.model_json_schema(),
        theme_settings={"type": "array", "items": SettingsGroup.model_json_schema()},
        examples=found,
    )


@cache
def _load_examples() -> tuple[SectionExample, ...]:
    texts = load_default_theme().texts
    return tuple(_to_example(path, texts[path]) for path in sorted(texts) if path.startswith(SECTIONS_FOLDER))


def _to_example(path: str, text: str) -> SectionExample:
    name = path.removeprefix(SECTIONS_FOLDER).removesuffix(".liquid")
    summary = text.partition("{% #")[2].partition("%}")[0].strip()
    return SectionExample(name=name, summary=summary, path=path, liquid=text)
