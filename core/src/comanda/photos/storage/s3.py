"""Photos in S3-compatible storage. Keys are those of the environment variables that every S3 client knows."""

from collections.abc import Sequence
from typing import Any

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from comanda.photos.storage.types import StorageAddress, StorageUnavailable

TIMEOUT = "10s"
CONNECT_TIMEOUT = "3s"
MAX_RETRIES = 2


class S3Storage:
    """Keeps files as objects named ``<prefix>/<owner>/<name>``."""

    def __init__(self, address: StorageAddress) -> None:
        options: dict[str, Any] = {"bucket": address.bucket, "prefix": address.prefix or None}
        # Several vendors do not know how to delete in bulk.
        options["disable_bulk_delete"] = True
        if address.endpoint is not None:
            # Servers other than Amazon's are seldom reached under a host name per bucket.
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
        """Write a file whole or not at all; one that is there is written again."""
        try:
            await obstore.put_async(self._store, _key(owner_id, name), content, use_multipart=False)
        except (BaseError, OSError) as error:
            raise StorageUnavailable from error

    async def get(self, owner_id: int, name: str) -> bytes | None:
        """Return a file, or None where there is none."""
        try:
            found = await obstore.get_async(self._store, _key(owner_id, name))
            return bytes(await found.bytes_async())
        except FileNotFoundError:
            return None
        except (BaseError, OSError) as error:
            raise StorageUnavailable from error

    async def delete(self, owner_id: int, names: Sequence[str]) -> None:
        """Delete files; those that are not there are passed over."""
        for name in names:
            try:
                await obstore.delete_async(self._store, _key(owner_id, name))
            except FileNotFoundError:
                continue
            except (BaseError, OSError) as error:
                raise StorageUnavailable from error


def _key(owner_id: int, name: str) -> str:
    return f"{owner_id}/{name}"
