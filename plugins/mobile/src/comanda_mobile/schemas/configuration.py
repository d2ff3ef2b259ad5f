"""Queries and response bodies of the configuration of apps."""

from typing import Any, Literal

from pydantic import BaseModel


class ConfigurationQuery(BaseModel):
    """The platform of the app; without it, the versions that hold in general."""

    platform: Literal["ios", "android"] | None = None


class Support(BaseModel):
    """How users of the app reach its support."""

    email: str | None
    phone: str | None
    url: str | None


class Push(BaseModel):
    """Whether push messages can be sent, and to devices of which platforms."""

    enabled: bool
    platforms: list[str]


class ConfigurationOut(BaseModel):
    """What an app reads at its start. One older than ``min_version`` must be updated, at ``store_url`` if it is set."""

    platform: Literal["ios", "android"] | None
    min_version: str
    latest_version: str
    store_url: str | None
    features: dict[str, bool]
    support: Support
    locales: list[str]
    push: Push
    start_path: str


class PathRuleOut(BaseModel):
    """How screens are shown whose path matches one of the regular expressions."""

    patterns: list[str]
    properties: dict[str, Any]


class PathConfigurationOut(BaseModel):
    """The path configuration of Hotwire Native; later rules override earlier ones."""

    settings: dict[str, Any]
    rules: list[PathRuleOut]
