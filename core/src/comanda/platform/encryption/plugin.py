"""Hook implementations of encryption."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.data.model_sets import ModelSet
from comanda.platform.encryption.hmac_digest import KEY_COLUMN


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [
        ModelSet("core", ("comanda.platform.encryption.models",), "comanda_migrations.core", encrypted=(KEY_COLUMN,))
    ]
