"""The access tokens of programs that act on behalf of an owner or of a customer, within the scopes granted."""

from typing import Final

from comanda.contracts import CallerKind

from comanda_oauth.services.app_checks import check_app, get_names
from comanda_oauth.services.resources import METADATA_PATH

APP: Final = CallerKind(
    code="app", prefix="app_", acts_as="owner", check=check_app, resource_metadata=METADATA_PATH, names=get_names
)
ASSISTANT: Final = CallerKind(
    code="assistant",
    prefix="ast_",
    acts_as="customer",
    is_customer=True,
    is_audited=False,
    check=check_app,
    resource_metadata=METADATA_PATH,
)
