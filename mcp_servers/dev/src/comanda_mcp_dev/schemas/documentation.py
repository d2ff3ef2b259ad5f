"""Arguments and results of the documentation tools."""

from typing import Annotated

from comanda.contracts import Arguments
from pydantic import BaseModel, Field


class LearnArguments(Arguments):
    """The topic that the caller is interested in."""

    topic: Annotated[
        str | None,
        Field(max_length=200, description="What you want to do, in a few words, such as 'place orders from a kiosk'."),
    ] = None


class SearchArguments(Arguments):
    """The search query."""

    query: Annotated[str, Field(min_length=1, max_length=300, description="Words or a question, in English.")]
    limit: Annotated[int, Field(ge=1, le=20, description="Maximum number of chunks.")] = 5


class FetchArguments(Arguments):
    """The chapter to return."""

    id: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description="A chapter's name such as 'orders', or the id of a chunk that search_docs returned.",
        ),
    ]


class StoreType(BaseModel):
    """A store type of this installation."""

    store_type: str
    label: str
    group: str
    capabilities: list[str]
    fulfillment_modes: list[str]


class Server(BaseModel):
    """An MCP server of this installation. Without ``callers`` it is public."""

    name: str
    title: str
    url: str
    callers: list[str]
    scope: str | None
    tools: list[str]


class Credential(BaseModel):
    """A kind of access token and the header that carries it."""

    kind: str
    prefix: str
    header: str


class InstalledPlugin(BaseModel):
    """A plugin and its declarations by kind."""

    name: str
    version: str
    declares: dict[str, list[str]]


class ChapterSummary(BaseModel):
    """A chapter; ``fetch_full_doc`` takes its name."""

    name: str
    title: str
    summary: str
    url: str


class NextCall(BaseModel):
    """A suggested next tool call."""

    tool: str
    arguments: dict[str, str]
    why: str


class Addresses(BaseModel):
    """URLs of this installation."""

    site_url: str
    api: str
    openapi: str
    reference: str
    guide: str


class Overview(BaseModel):
    """This installation. ``chapters`` are those about the topic, most relevant first, or all without a topic."""

    about: str
    release: str
    addresses: Addresses
    authentication: list[Credential]
    about_errors: str
    store_types: list[StoreType]
    servers: list[Server]
    plugins: list[InstalledPlugin]
    chapters: list[ChapterSummary]
    next: list[NextCall]


class ChunkOut(BaseModel):
    """A part of a chapter. Scores only compare within one search."""

    id: str
    chapter: str
    title: str
    heading: str
    text: str
    score: float


class SearchResult(BaseModel):
    """Chunks, best first."""

    chunks: list[ChunkOut]


class FullDocument(BaseModel):
    """A whole chapter in Markdown."""

    name: str
    title: str
    summary: str
    url: str | None
    text: str
