"""Photo storage in S3-compatible services. Credentials come from the usual AWS environment variables."""

from collections.abc import Sequence
from typing import Any

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from comanda.platform.photos.storage.types import StorageAddress, StorageUnavailable

TIMEOUT = "10s"
CONNECT_TIMEOUT = "3s"
MAX_RETRIES = 2


class S3Storage:
    """Storage of files as objects named ``<prefix>/<owner>/<name>``."""

    def __init__(self, address: StorageAddress) -> None:
        options: dict[str, Any] = {"bucket": address.bucket, "prefix": address.prefix or None}
        # Several vendors do not support bulk deletion.
        options["disable_bulk_delete"] = True
        if address.endpoint is not None:
            # Most services other than Amazon's do not use a host name per bucket.
            options |= {"endpoint": address.endpoint, "virtual_hosted_style_request": False}
        if address.region is not None:
            options["region"] = address.region
        allows_http = address.endpoint is not None and address.endpoint.startswith("http://")
        self._store = S3Store(
            **options,
            client_options={"timeout": TIMEOUT, "connect_timeout": CONNECT_TIMEOUT, "allow_http": allows_http},
            retry_config={"max_retries": MAX_RETRIES},
        )

    async def put(self, owner_id: int, name: str, content: bytes) -> None:
        """Write a file completely or not at all; an existing one is overwritten."""
        try:
            await obstore.put_async(self._store, _to_key(owner_id, name), content, use_multipart=False)
        except (BaseError, OSError) as error:
            raise StorageUnavailable from error

    async def get(self, owner_id: int, name: str) -> bytes | None:
        """Return a file, or None if it does not exist."""
        try:
            found = await obstore.get_async(self._store, _to_key(owner_id, name))
            return bytes(await found.bytes_async())
        except FileNotFoundError:
            return None
        except (BaseError, OSError) as error:
            raise StorageUnavailable from error

    async def delete(self, owner_id: int, names: Sequence[str]) -> None:
        """Delete files; missing ones are ignored."""
        for name in names:
            try:
                await obstore.delete_async(self._store, _to_key(owner_id, name))
            except FileNotFoundError:
                continue
            except (BaseError, OSError) as error:
                raise StorageUnavailable from error


def _to_key(owner_id: int, name: str) -> str:
    return f"{owner_id}/{name}"
