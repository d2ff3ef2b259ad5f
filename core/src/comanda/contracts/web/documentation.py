"""Chapters of documentation: Markdown files in the wheels of what they describe."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files


@dataclass(frozen=True)
class Chapter:
    """One page of documentation.

    ``name`` is its place in addresses, such as ``hotels``; ``summary`` is a sentence for lists. The text is the file
    ``path`` inside the importable package ``package``, in Markdown, its headings from the second level down;
    ``{site_url}`` in it becomes the address by which its reader knows this installation. What ``build`` returns is the
    text instead, made when it is first read; a search ranks such a chapter below written ones.
    """

    name: str
    title: str
    summary: str
    package: str
    path: str = ""
    build: Callable[[], str] | None = None

    @property
    def is_generated(self) -> bool:
        """Whether the text is made from something else, such as a list of functions."""
        return self.build is not None

    @cached_property
    def text(self) -> str:
        """The Markdown. Raises ``FileNotFoundError`` if the wheel lacks the file."""
        if self.build is not None:
            return self.build()
        return files(self.package).joinpath(self.path).read_text(encoding="utf-8")

    def render_text(self, site_url: str) -> str:
        """Return the Markdown with the address of this installation in the place of ``{site_url}``."""
        # A list of what plugins may import names the placeholder itself.
        return self.text if self.is_generated else self.text.replace("{site_url}", site_url)
