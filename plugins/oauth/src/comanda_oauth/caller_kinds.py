"""The access token of an app, which acts on an owner's behalf within the scopes of its installation."""

from typing import Final

from comanda.contracts import CallerKind

from comanda_oauth.services.app_checks import check_app
from comanda_oauth.services.app_names import get_names
from comanda_oauth.services.resources import METADATA_PATH

APP: Final = CallerKind(
    code="app", prefix="app_", acts_as="owner", check=check_app, resource_metadata=METADATA_PATH, names=get_names
)
