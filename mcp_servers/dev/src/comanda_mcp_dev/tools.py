"""MCP tools for developers. All of them are read-only and need no token.

The first that reads the documentation makes its index, for a second or two, outside the event loop.
"""

import asyncio

from comanda.contracts import Tool, ToolCall

from comanda_mcp_dev.schemas.documentation import (
    FetchArguments,
    FullDocument,
    LearnArguments,
    Overview,
    SearchArguments,
    SearchResult,
)
from comanda_mcp_dev.schemas.themes import (
    LiquidReference,
    ReferenceArguments,
    SectionArguments,
    SectionSchemaAnswer,
    ThemeArguments,
    ThemeReport,
)
from comanda_mcp_dev.services import documentation, liquid_reference, sections, theme_checks

SERVERS = ("dev",)


async def learn_platform(call: ToolCall, arguments: LearnArguments) -> Overview:
    """Return an overview of this installation."""
    return await asyncio.to_thread(documentation.get_overview, arguments.topic)


async def search_docs(call: ToolCall, arguments: SearchArguments) -> SearchResult:
    """Search the documentation."""
    return await asyncio.to_thread(documentation.search_chapters, arguments.query, arguments.limit)


async def fetch_full_doc(call: ToolCall, arguments: FetchArguments) -> FullDocument:
    """Return a chapter."""
    return await asyncio.to_thread(documentation.get_chapter, arguments.id)


async def get_liquid_reference(call: ToolCall, arguments: ReferenceArguments) -> LiquidReference:
    """Return the reference, or a part of it."""
    return liquid_reference.get_liquid_reference(arguments.name, arguments.kind)


async def get_section_schema(call: ToolCall, arguments: SectionArguments) -> SectionSchemaAnswer:
    return sections.get_section_schema(arguments.section)


async def validate_theme(call: ToolCall, arguments: ThemeArguments) -> ThemeReport:
    """Check a theme."""
    return await theme_checks.validate_theme(arguments.files)


TOOLS = (
    Tool(
        name="learn_platform",
        title="Learn the platform",
        description=(
            "Call this first. It returns what this installation of Comanda has: store types and their order types, "
            "plugins, MCP servers, kinds of tokens, URLs, chapters of documentation, and which tools to call next."
        ),
        servers=SERVERS,
        arguments=LearnArguments,
        result=Overview,
        handler=learn_platform,
        is_read_only=True,
    ),
    Tool(
        name="search_docs",
        title="Search the documentation",
        description=(
            "Finds passages in the documentation of core and of the installed plugins. Search before you write code "
            "against a route or field, and do not guess names. No results mean that no chapter covers it."
        ),
        servers=SERVERS,
        arguments=SearchArguments,
        result=SearchResult,
        handler=search_docs,
        is_read_only=True,
    ),
    Tool(
        name="fetch_full_doc",
        title="Read a chapter",
        description=(
            "Returns a whole chapter in Markdown, by its name or by the id of a chunk that search_docs found. "
            "The chapter 'endpoints' lists every operation."
        ),
        servers=SERVERS,
        arguments=FetchArguments,
        result=FullDocument,
        handler=fetch_full_doc,
        is_read_only=True,
    ),
    Tool(
        name="get_liquid_reference",
        title="Liquid of themes",
        description=(
            "Lists the Liquid tags, filters and objects that a theme may use, each with an example. Ask for one by "
            "name or for one kind; the whole list is long."
        ),
        servers=SERVERS,
        arguments=ReferenceArguments,
        result=LiquidReference,
        handler=get_liquid_reference,
        is_read_only=True,
    ),
    Tool(
        name="get_section_schema",
        title="Sections of themes",
        description=(
            "Returns the JSON Schema of a section's {% schema %} block and of a theme's settings, with full examples "
            "to start from, such as hero, menu-list, opening-hours, gallery and footer."
        ),
        servers=SERVERS,
        arguments=SectionArguments,
        result=SectionSchemaAnswer,
        handler=get_section_schema,
        is_read_only=True,
    ),
    Tool(
        name="validate_theme",
        title="Check a theme",
        description=(
            "Checks a theme's text files: Liquid, names of objects and filters, schemas, missing files, accessibility, "
            "and violations of the content security policy. Returns findings with file, line, severity and rule. Send "
            "the whole theme, since files refer to each other; nothing is stored or run."
        ),
        servers=SERVERS,
        arguments=ThemeArguments,
        result=ThemeReport,
        handler=validate_theme,
        is_read_only=True,
    ),
)
