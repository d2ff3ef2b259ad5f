"""Networks that an operator's settings allow although they are not public."""

from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import AfterValidator

from comanda.contracts.settings import NameList
from comanda.platform import runtime
from comanda.platform.http_client.target_urls import AllowedTargets

LOOPBACK_NETWORKS: Final = ("127.0.0.0/8", "::1/128")


def _check_networks(networks: list[str]) -> list[str]:
    AllowedTargets.parse(networks)
    return networks


NetworkList = Annotated[NameList, AfterValidator(_check_networks)]


def get_allowed_targets(networks: Sequence[str] = ()) -> AllowedTargets:
    """Return the networks of a setting, and in development mode this machine.

    Development mode alone allows no name but ``localhost``: a receiver elsewhere needs HTTPS as in production.
    """
    loopback = LOOPBACK_NETWORKS if runtime.settings().development else ()
    return AllowedTargets.parse([*networks, *loopback], with_any_name=bool(networks))
