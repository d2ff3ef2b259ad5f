"""The configuration of apps, which anybody may read."""

from hashlib import sha256
from typing import Any, Final

from comanda.basics import to_json
from comanda.contracts import PUBLIC, Answer, Call, Routes, to_wire
from comanda.platform.http import cacheable_answer

from comanda_mobile.records import AppConfiguration, PathConfiguration
from comanda_mobile.schemas import ConfigurationQuery
from comanda_mobile.services import configuration

routes = Routes("Mobile app", callers=PUBLIC)

MAX_READS_PER_MINUTE: Final = 120
IF_NONE_MATCH: Final = (("If-None-Match", "The ETag of the copy that the app has; 304 if it is current."),)


@routes.get("/app/config", cors=True, headers=IF_NONE_MATCH, answers=AppConfiguration)
async def get_configuration(call: Call, query: ConfigurationQuery) -> Answer:
    """Return versions, features, support, languages and push messages for apps on a platform."""
    await _count_read(call)
    return _to_answer(call, to_wire(AppConfiguration, configuration.get_configuration(query.platform)))


@routes.get("/app/path-configuration/{platform}.json", cors=True, headers=IF_NONE_MATCH, answers=PathConfiguration)
async def get_path_configuration(call: Call, platform: str) -> Answer:
    """Return how the app shows each page, as the path configuration of Hotwire Native, for ``ios`` or ``android``."""
    await _count_read(call)
    return _to_answer(call, to_wire(PathConfiguration, configuration.get_path_configuration(platform)))


async def _count_read(call: Call) -> None:
    await call.count(f"mobile_config:{call.client_network}", MAX_READS_PER_MINUTE)


def _to_answer(call: Call, document: Any) -> Answer:
    body = to_json(document)
    return cacheable_answer(call, body, f'W/"{sha256(body).hexdigest()[:24]}"')
