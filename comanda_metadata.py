"""Fills in the dependencies of the distribution ``comanda``: core and every first-party plugin.

The plugins are named once, in ``[tool.uv.sources]``, which uv needs anyway.
"""

import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class CustomMetadataHook(MetadataHookInterface):
    """Adds the workspace's members as dependencies."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``dependencies``; called by hatchling."""
        sources = self._tool_table().get("uv", {}).get("sources", {})
        metadata["dependencies"] = sorted(sources)

    def _tool_table(self) -> dict[str, Any]:
        document = tomllib.loads(Path(self.root, "pyproject.toml").read_text(encoding="utf-8"))
        tool: dict[str, Any] = document["tool"]
        return tool
