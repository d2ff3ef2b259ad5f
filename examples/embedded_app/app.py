"""A tiny embedded app: one page, and a backend that believes session tokens alone. It needs only Python 3.11.

COMANDA_URL=https://comanda.example CLIENT_ID=… CLIENT_SECRET=… python app.py 8765
"""

import hashlib
import hmac
import json
import os
import sys
import time
from base64 import urlsafe_b64decode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
FILES = {"/": ("page.html", "text/html; charset=utf-8"), "/page.js": ("page.js", "text/javascript; charset=utf-8")}
SKEW_SECONDS = 10


class InvalidToken(Exception):
    """The session token is forged, expired, or meant for another app."""


def verify_session_token(token: str, client_id: str, client_secret: str, issuer: str) -> dict[str, Any]:
    """Return the claims of a session token. Raises ``InvalidToken``."""
    try:
        signed, _, signature = token.rpartition(".")
        header, claims = (json.loads(_decode(part)) for part in signed.split("."))
        given = _decode(signature)
    except ValueError as error:
        raise InvalidToken("not a token") from error
    # The algorithm is ours to choose, never the token's.
    if not isinstance(header, dict) or header.get("alg") != "HS256" or not isinstance(claims, dict):
        raise InvalidToken("another algorithm")
    expected = hmac.new(client_secret.encode(), signed.encode(), hashlib.sha256).digest()
    if not hmac.compare_digest(expected, given):
        raise InvalidToken("wrong signature")
    now = time.time()
    if not claims["nbf"] - SKEW_SECONDS <= now < claims["exp"] + SKEW_SECONDS:
        raise InvalidToken("expired")
    if claims["aud"] != client_id or claims["iss"] != issuer:
        raise InvalidToken("meant for another app")
    return claims


def _decode(part: str) -> bytes:
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))


class Handler(BaseHTTPRequestHandler):
    """Serves the page to everyone, and data to those with a session token."""

    def do_GET(self) -> None:
        """Answer the page, its script, or who is asking."""
        if self.path == "/whoami":
            self._answer_whoami()
        elif self.path in FILES:
            name, content_type = FILES[self.path]
            self._send(200, (FOLDER / name).read_bytes(), content_type)
        else:
            self._send(404, b"Not found", "text/plain")

    def _answer_whoami(self) -> None:
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        keys = (os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"], os.environ["COMANDA_URL"])
        try:
            claims = verify_session_token(token, *keys)
        except InvalidToken as error:
            self._send(401, json.dumps({"error": str(error)}).encode(), "application/json")
            return
        answer = {"owner": claims["sub"], "installation": claims["sid"]}
        self._send(200, json.dumps(answer).encode(), "application/json")

    def _send(self, status: int, body: bytes, content_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        # Only Comanda may show this page in a frame.
        self.send_header("Content-Security-Policy", f"frame-ancestors {os.environ['COMANDA_URL']}")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8765
    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
