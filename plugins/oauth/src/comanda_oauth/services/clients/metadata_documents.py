"""Clients known by the address of their metadata document, as agents are.

The address is the ``client_id``. The document is read, through a client that reaches public addresses only, when a
person is asked to consent, and kept for as long as its publisher says, within limits.
Source: OAuth Client ID Metadata Document, draft-ietf-oauth-client-id-metadata-document.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

import structlog
from comanda.basics import ValidationFailed, clock
from comanda.platform import runtime
from comanda.platform.http_client import DocumentClient, DocumentUnavailable, FetchedDocument, get_allowed_targets
from tortoise.exceptions import IntegrityError

from comanda_oauth import settings
from comanda_oauth.models import Client, ClientKind, ClientOrigin
from comanda_oauth.records import NewClient
from comanda_oauth.services.clients import clients
from comanda_oauth.services.clients.client_metadata import parse_metadata

log = structlog.get_logger(__name__)

MIN_KEPT: Final = timedelta(minutes=5)
MAX_KEPT: Final = timedelta(hours=24)
DEFAULT_KEPT: Final = timedelta(hours=1)
MAX_LENGTH: Final = 2048


def is_document_address(client_id: str) -> bool:
    """Return whether a client id is the address of a document: https, with a path, and written in one way only."""
    if len(client_id) > MAX_LENGTH or not client_id.isascii() or not client_id.isprintable():
        return False
    try:
        parts = urlsplit(client_id)
    except ValueError:
        return False
    is_plain = not parts.fragment and "@" not in parts.netloc and "#" not in client_id and " " not in client_id
    has_path = len(parts.path) > 1 and not {".", ".."} & set(parts.path.split("/"))
    is_local = (
        runtime.settings().development and parts.scheme == "http" and parts.hostname in {"127.0.0.1", "localhost"}
    )
    return is_plain and has_path and (parts.scheme == "https" or is_local)


async def refresh_client(client_id: str) -> None:
    """Read the document of a client unless the stored one is recent; one that cannot be read leaves it as it is."""
    if not settings.get_settings().metadata_documents or not is_document_address(client_id):
        return
    row = await Client.get_or_none(client_id=client_id, origin=ClientOrigin.DOCUMENT, deleted_at=None)
    moment = clock.now()
    if row is not None and row.refreshed_at is not None and row.refreshed_at > moment:
        return
    try:
        fetched = await create_client().fetch(client_id)
        await _store(row, client_id, parse_metadata(_check_document(fetched, client_id)), fetched)
    except (DocumentUnavailable, ValidationFailed) as error:
        log.info("client_document_refused", client_id=client_id, problem=str(error))


def create_client() -> DocumentClient:
    """Create the client that reads documents; in development it reaches this machine too."""
    return DocumentClient(allowed=get_allowed_targets())


def _check_document(fetched: FetchedDocument, client_id: str) -> Mapping[str, object]:
    document = fetched.content
    if not isinstance(document, dict) or document.get("client_id") != client_id:
        raise DocumentUnavailable("The document does not name itself as its client_id.")
    if "client_secret" in document:
        raise DocumentUnavailable("A public document must not contain a secret.")
    return document


async def _store(row: Client | None, client_id: str, new: NewClient, fetched: FetchedDocument) -> None:
    seconds = fetched.max_age_seconds
    kept = DEFAULT_KEPT if seconds is None else min(max(timedelta(seconds=seconds), MIN_KEPT), MAX_KEPT)
    moment = clock.now()
    if row is None:
        row = Client(
            owner_id=0, client_id=client_id, origin=ClientOrigin.DOCUMENT, kind=ClientKind.PUBLIC, created_at=moment
        )
    clients.set_fields(row, new)
    # Shown instead of a publisher: the one thing that is certain about such a client.
    row.publisher = urlsplit(client_id).hostname or ""
    row.refreshed_at = moment + kept
    try:
        await row.save()
    except IntegrityError:
        # Two requests have read it for the first time; one of them has stored it.
        log.info("client_document_stored_twice", client_id=client_id)
