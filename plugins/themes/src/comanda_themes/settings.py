"""Settings of themes, under ``COMANDA_THEMES_``."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field


class ThemeSettings(PluginSettings):
    """What uploaded themes may do."""

    allow_scripts: bool = Field(
        default=False,
        description=(
            "Whether scripts of uploaded themes run on stores' pages. All stores and the dashboard share one origin: "
            "allow this only if you trust everybody who may upload a theme."
        ),
    )


def get_settings() -> ThemeSettings:
    return runtime.settings_of(ThemeSettings)
