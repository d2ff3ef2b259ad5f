"""The configuration of apps: versions, features and support, and how screens are shown."""

import re
from collections.abc import Mapping
from typing import Any, Final

from comanda.basics import NotFound
from comanda.platform import runtime
from comanda.web import SIGN_IN_PATH

from comanda_mobile.records import AppConfiguration, PathConfiguration, PathRule, Platform, PushSupport, SupportContact
from comanda_mobile.services.handoffs import LIFETIME
from comanda_mobile.settings import MobileSettings, get_settings

PLATFORMS: Final[tuple[Platform, ...]] = ("ios", "android")
# Android creates screens by address, iOS by itself.
ANDROID_SCREEN: Final = "hotwire://fragment/web"
ANDROID_MODAL: Final = "hotwire://fragment/web/modal/sheet"
MODAL: Final[Mapping[str, Any]] = {"context": "modal", "pull_to_refresh_enabled": False}
# These pages refresh themselves, or would lose what a person has entered.
WITHOUT_REFRESH: Final = ("^/kitchen/", "^/driver/", "^/t/", "^/apps/[^/]+/embed")
MODAL_PATHS: Final = (f"^{SIGN_IN_PATH}", "^/oauth/authorize", "^/pay/")


def get_configuration(platform: Platform | None) -> AppConfiguration:
    """Return the configuration of apps on a platform, or what holds for all."""
    settings = get_settings()
    oldest, newest = settings.versions(platform)
    has_push = any(each.channel == "push" and each.is_ready() for each in runtime.registry().transports)
    return AppConfiguration(
        platform=platform,
        min_version=oldest,
        latest_version=newest,
        store_url=settings.store_url(platform),
        features={**dict.fromkeys(settings.features, True), "handoff": True, "push": has_push},
        support=SupportContact(settings.support_email, settings.support_phone, settings.support_url),
        locales=settings.locales,
        push=PushSupport(has_push, PLATFORMS if has_push else ()),
        start_path=settings.start_path,
    )


def get_path_configuration(name: str) -> PathConfiguration:
    """Return the path configuration of a platform. Raises ``NotFound`` for any other."""
    platform = next((each for each in PLATFORMS if each == name), None)
    if platform is None:
        raise NotFound
    settings = get_settings()
    own = [PathRule(rule.patterns, rule.properties) for rule in settings.rules if rule.platform in {None, platform}]
    return PathConfiguration(
        settings={
            "start_path": settings.start_path,
            "sign_in_path": SIGN_IN_PATH,
            "handoff_seconds": int(LIFETIME.total_seconds()),
        },
        rules=[*_list_rules(platform, settings), *own],
    )


def _list_rules(platform: Platform, settings: MobileSettings) -> list[PathRule]:
    is_android = platform == "android"
    screen = {"uri": ANDROID_SCREEN} if is_android else {}
    modal = {"uri": ANDROID_MODAL} if is_android else {"modal_style": "large"}
    start = f"^{re.escape(settings.start_path.partition('?')[0])}(\\?|$)"
    return [
        PathRule([".*"], {"context": "default", "pull_to_refresh_enabled": True, **screen}),
        PathRule([start], {"presentation": "replace_root"}),
        PathRule(WITHOUT_REFRESH, {"pull_to_refresh_enabled": False}),
        PathRule(MODAL_PATHS, {**MODAL, **modal}),
    ]
