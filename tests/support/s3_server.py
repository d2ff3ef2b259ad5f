"""A minimal S3 server that verifies signatures (version 4)."""

import hashlib
import hmac
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, urlsplit

KEY_ID, SECRET, REGION = "comanda-test", "secret-of-the-test", "eu-test-1"
AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w{64})"
)


def signature(handler, body_hash, date, region, names):
    """Return the expected signature of a request."""
    parts = urlsplit(handler.path)
    query = sorted(parse_qsl(parts.query, keep_blank_values=True))
    canonical = "\n".join(
        [
            handler.command,
            parts.path,
            "&".join(f"{quote(name, safe='-_.~')}={quote(value, safe='-_.~')}" for name, value in query),
            *(f"{name}:{' '.join((handler.headers[name] or '').split())}" for name in names),
            "",
            ";".join(names),
            body_hash,
        ]
    )
    scope = f"{date}/{region}/s3/aws4_request"
    moment = handler.headers["x-amz-date"]
    text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    key = f"AWS4{SECRET}".encode()
    for step in (date, region, "s3", "aws4_request"):
        key = hmac.new(key, step.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_PUT(self):
        if (body := self._checked()) is not None:
            self.server.objects[self.path] = body
            self._answer(200, headers={"ETag": f'"{hashlib.md5(body).hexdigest()}"'})

    def do_GET(self):
        if self._checked() is not None:
            found = self.server.objects.get(self.path)
            if found is None:
                self._answer(404, b"<Error><Code>NoSuchKey</Code><Message>none</Message></Error>")
            else:
                tag = f'"{hashlib.md5(found).hexdigest()}"'
                self._answer(200, found, {"ETag": tag, "Last-Modified": "Sun, 22 Nov 2026 10:00:00 GMT"})

    def do_DELETE(self):
        if self._checked() is not None:
            self.server.objects.pop(self.path, None)
            self._answer(204)

    def _checked(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        declared = self.headers.get("x-amz-content-sha256", "")
        found = AUTHORIZATION.fullmatch(self.headers.get("authorization", ""))
        is_right = (
            found is not None
            and found[1] == KEY_ID
            and declared == hashlib.sha256(body).hexdigest()
            and "host" in found[4].split(";")
            and hmac.compare_digest(found[5], signature(self, declared, found[2], found[3], found[4].split(";")))
        )
        if not is_right:
            self._answer(403, b"<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>")
            return None
        return body

    def _answer(self, status, body=b"", headers=None):
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def s3_server():
    """Run the server on a free port of the loopback interface; ``objects`` are the stored objects by path."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.objects = {}
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
