"""Fills in the dependencies of the distribution ``comanda``: core and every first-party plugin but those of an extra.

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
        document = tomllib.loads(Path(self.root, "pyproject.toml").read_text(encoding="utf-8"))
        extras = document["project"]["optional-dependencies"].values()
        metadata["dependencies"] = sorted(set(document["tool"]["uv"]["sources"]).difference(*extras))
