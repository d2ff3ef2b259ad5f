"""The address of this installation as the reader of a page knows it."""

import re
from typing import Final

from quart import request

from comanda.platform import runtime

HOST: Final = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")


def get_site_url() -> str:
    """Return the host root: of ``COMANDA_PUBLIC_URL``, else the one by which the reader's browser came."""
    settings = runtime.settings()
    if settings.public_url or HOST.fullmatch(request.host) is None:
        return settings.site_url
    return f"{request.scheme}://{request.host}"
