"""The base of settings that are read from the environment."""

from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_settings import BaseSettings, EnvSettingsSource, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict


def split_names(value: Any) -> Any:
    """Return the names of a text with commas between them; other values as they are."""
    return [name for part in value.split(",") if (name := part.strip())] if isinstance(value, str) else value


# In the environment, comma-separated names.
NameList = Annotated[list[str], NoDecode, BeforeValidator(split_names)]


class EnvironmentSettings(BaseSettings):
    """Settings of the environment alone, in which a variable that is empty or blank counts as unset."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources: what the caller sets, then the environment without its blank variables."""
        if not isinstance(env_settings, EnvSettingsSource):
            raise TypeError("The source of environment variables must be an EnvSettingsSource.")
        env_settings.env_vars = {
            name: value for name, value in env_settings.env_vars.items() if value and value.strip()
        }
        return init_settings, env_settings


class PluginSettings(EnvironmentSettings):
    """Base of a plugin's settings. Core sets the prefix ``COMANDA_<PLUGIN>_`` when it reads them."""

    model_config = SettingsConfigDict(extra="ignore")
