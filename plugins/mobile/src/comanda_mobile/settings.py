"""Settings under ``COMANDA_MOBILE_``."""

import json
import re
from pathlib import Path
from typing import Annotated, Any, Final

from comanda.contracts import NameList, PluginSettings
from comanda.platform import runtime
from comanda.web import parse_local_path
from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    PrivateAttr,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)

from comanda_mobile.records import Platform

VERSION: Final = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){0,3}")
FEATURE: Final = re.compile(r"[a-z][a-z0-9_]{0,49}")
LOCALE: Final = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")


def parse_version(text: str) -> tuple[int, ...]:
    """Return the numbers of a version, without zeros at the end, to compare it."""
    numbers = [int(part) for part in text.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _check_version(text: str) -> str:
    if not VERSION.fullmatch(text):
        raise ValueError("must be a version, such as 1.4.0")
    return text


def _check_web_address(text: str) -> str:
    if not text.startswith("https://"):
        raise ValueError("must begin with https://")
    return text


Version = Annotated[str, AfterValidator(_check_version)]
WebAddress = Annotated[str, AfterValidator(_check_web_address)]


class RuleOfFile(BaseModel):
    """A rule that the operator adds, for one platform or for all."""

    patterns: Annotated[list[str], Field(min_length=1)]
    properties: dict[str, Any]
    platform: Platform | None = None

    @field_validator("patterns")
    @classmethod
    def _check_patterns(cls, patterns: list[str]) -> list[str]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"the pattern {pattern} is no regular expression") from error
        return patterns


RULES: Final = TypeAdapter(list[RuleOfFile])


class MobileSettings(PluginSettings):
    """Versions, features, support and paths of the app."""

    min_version: Version = Field(default="1.0.0", description="The oldest version of the app that may be used.")
    latest_version: Version | None = Field(default=None, description="The newest version; unset: the oldest.")
    ios_min_version: Version | None = Field(default=None, description="The oldest version on iOS, if it differs.")
    ios_latest_version: Version | None = Field(default=None, description="The newest version on iOS, if it differs.")
    ios_store_url: WebAddress | None = Field(default=None, description="Where the app for iOS is updated.")
    android_min_version: Version | None = Field(default=None, description="The oldest version on Android, likewise.")
    android_latest_version: Version | None = Field(default=None, description="The newest version on Android.")
    android_store_url: WebAddress | None = Field(default=None, description="Where the app for Android is updated.")
    features: NameList = Field(default=[], description="Features that the app switches on, such as dark_mode.")
    locales: NameList = Field(default=["en"], description="Languages of the app, the preferred one first.")
    support_email: str | None = Field(default=None, pattern=r"^[^@\s]+@[^@\s]+$", description="Whom users write to.")
    support_phone: str | None = Field(default=None, max_length=30, description="Whom users call.")
    support_url: WebAddress | None = Field(default=None, description="The page on which users find help.")
    start_path: str = Field(default="/app/home", description="The page that the app opens after login.")
    rules_file: Path | None = Field(
        default=None, description="A JSON file with rules of the path configuration, which override the built-in ones."
    )
    _rules: list[RuleOfFile] = PrivateAttr(default_factory=list)

    @field_validator("features")
    @classmethod
    def _check_features(cls, names: list[str]) -> list[str]:
        if wrong := [name for name in names if not FEATURE.fullmatch(name)]:
            raise ValueError(f"must be names such as dark_mode, which {wrong[0]} is not")
        return names

    @field_validator("locales")
    @classmethod
    def _check_locales(cls, tags: list[str]) -> list[str]:
        if not tags or (wrong := [tag for tag in tags if not LOCALE.fullmatch(tag)]):
            raise ValueError(f"must be language tags such as pt-BR{f', which {wrong[0]} is not' if tags else ''}")
        return tags

    @field_validator("start_path")
    @classmethod
    def _check_start_path(cls, path: str) -> str:
        if parse_local_path(path) is None:
            raise ValueError("must be a path of this site, such as /app/home")
        return path

    @model_validator(mode="after")
    def _check_versions(self) -> "MobileSettings":
        for platform in (None, "ios", "android"):
            oldest, newest = self.versions(platform)
            if parse_version(newest) < parse_version(oldest):
                raise ValueError(f"the newest version {newest} of the app is older than the oldest, {oldest}")
        return self

    @model_validator(mode="after")
    def _read_rules(self) -> "MobileSettings":
        if self.rules_file is not None:
            self._rules = read_rules(self.rules_file)
        return self

    @property
    def rules(self) -> list[RuleOfFile]:
        return self._rules

    def versions(self, platform: str | None) -> tuple[str, str]:
        """Return the oldest and the newest version on a platform, or those that hold in general."""
        own = {
            "ios": (self.ios_min_version, self.ios_latest_version),
            "android": (self.android_min_version, self.android_latest_version),
        }.get(platform or "", (None, None))
        oldest = own[0] or self.min_version
        return oldest, own[1] or self.latest_version or oldest

    def store_url(self, platform: str | None) -> str | None:
        """Return where the app for a platform is updated."""
        return {"ios": self.ios_store_url, "android": self.android_store_url}.get(platform or "")


def read_rules(path: Path) -> list[RuleOfFile]:
    """Return the rules of a file. Raises ``ValueError`` with a sentence about what is wrong."""
    try:
        return RULES.validate_python(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ValueError(f"the file {path} cannot be read") from error
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise ValueError(f"the file {path} has an invalid rule at {place}: {error.errors()[0]['msg']}") from error
    except ValueError as error:
        raise ValueError(f"the file {path} is no JSON") from error


def get_settings() -> MobileSettings:
    return runtime.settings_of(MobileSettings)
