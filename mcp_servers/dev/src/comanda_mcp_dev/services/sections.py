"""The schema of theme sections, and examples of sections."""

from functools import cache
from importlib.resources import files
from typing import Any, Final

from comanda.errors import NotFound

from comanda_mcp_dev.schemas.themes import SectionExample, SectionSchemaAnswer
from comanda_mcp_dev.services.themes.section_schema import SectionSchema, SettingsGroup

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
    folder = files("comanda_mcp_dev").joinpath("themes", "sections")
    return tuple(_to_example(path.name.removesuffix(".liquid"), path) for path in _list_files(folder))


def _list_files(folder: Any) -> list[Any]:
    return sorted((path for path in folder.iterdir() if path.name.endswith(".liquid")), key=lambda path: path.name)


def _to_example(name: str, path: Any) -> SectionExample:
    text = path.read_text(encoding="utf-8")
    summary = text.partition("{% #")[2].partition("%}")[0].strip()
    return SectionExample(name=name, summary=summary, path=f"sections/{name}.liquid", liquid=text)
