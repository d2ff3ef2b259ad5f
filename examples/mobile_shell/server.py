"""The requests of the app's own code, with only the standard library."""

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

TIMEOUT_SECONDS = 30
PLATFORM = "ios"
VERSION = "1.4.0"


class Refused(Exception):
    """An answer other than success; ``reason`` is for the app, the message for the person."""

    def __init__(self, status: int, document: Any) -> None:
        super().__init__(document.get("message", "") if isinstance(document, dict) else "")
        self.status = status
        self.reason = document.get("reason") if isinstance(document, dict) else None
        self.choices = document.get("choices", []) if isinstance(document, dict) else []


@dataclass(slots=True)
class AppServer:
    """The server of the app. ``token`` is what a real app keeps in the keychain of the phone."""

    url: str
    token: str | None = None
    _copies: dict[str, tuple[str, Any]] = field(default_factory=dict)

    def fetch_configuration(self) -> Any:
        """Return versions, features and support; a copy that is current is not sent again."""
        return self._fetch_copy(f"/api/v1/app/config?platform={PLATFORM}")

    def fetch_path_configuration(self) -> Any:
        """Return the remote file that says how each page is shown."""
        return self._fetch_copy(f"/api/v1/app/path-configuration/{PLATFORM}.json")

    def log_in(self, email: str, password: str, device: str, **hints: Any) -> Any:
        """Log in, keep the token, and return the person and their stores. Raises ``Refused``."""
        body = {"email": email, "password": password, "device": device, **hints}
        answer = self.send("POST", "/api/v1/app/auth/login", body)
        self.token = answer["token"]
        return answer

    def create_handoff(self, path: str | None, user_agent: str) -> str:
        """Return an address that signs the web view in, once and within a minute."""
        body = {"user_agent": user_agent, **({} if path is None else {"path": path})}
        return str(self.send("POST", "/api/v1/app/session", body)["handoff_url"])

    def register_device(self, push_token: str, locale: str) -> Any:
        """Register the phone for push messages."""
        body = {"platform": PLATFORM, "token": push_token, "app_version": VERSION, "locale": locale}
        return self.send("POST", "/api/v1/app/devices", body)

    def unregister_device(self, push_token: str) -> Any:
        """Unregister the phone, when a person switches messages off."""
        return self.send("POST", "/api/v1/app/devices/unregister", {"token": push_token})

    def get_me(self) -> Any:
        """Return the person who is logged in and their stores. Raises ``Refused``."""
        return self.send("GET", "/api/v1/app/me")

    def log_out(self) -> None:
        """Revoke the token; web sessions and push messages end with it."""
        self.send("POST", "/api/v1/app/auth/logout")
        self.token = None

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a request and return the document, or None for 304. Raises ``Refused``."""
        return self._send(method, path, body, headers)[1]

    def _fetch_copy(self, path: str) -> Any:
        etag, document = self._copies.get(path, ("", None))
        new_etag, answer = self._send("GET", path, None, {"If-None-Match": etag} if etag else {})
        if answer is None:
            return document
        self._copies[path] = (new_etag, answer)
        return answer

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> tuple[str, Any]:
        own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        data = None if body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json", "Accept": "application/json", **own, **headers}
        try:
            with urlopen(Request(self.url + path, data, sent, method=method), timeout=TIMEOUT_SECONDS) as response:
                return response.headers.get("ETag", ""), json.loads(response.read())
        except HTTPError as error:
            with error:
                if error.code == 304:
                    return "", None
                raise Refused(error.code, _parse(error.read())) from error


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None
