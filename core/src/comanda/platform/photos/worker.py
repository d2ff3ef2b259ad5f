"""Process that re-encodes one picture, isolated because a decoder may hang, crash or exhaust memory.

The job comes as JSON in the first argument, the picture on standard input. The answer on standard output is one line of
JSON, ``{"error": sentence}`` or ``{"sizes": [[width, height, bytes]]}``, and after it the pictures' bytes.
"""

import json
import sys

# Imported before the limits apply, which are meant for one picture.
from PIL import Image, ImageCms, ImageOps  # noqa: F401

from comanda.platform.photos.pictures import InvalidPicture, Rendering, render


def main() -> None:
    """Run one job."""
    job = json.loads(sys.argv[1])
    _set_limits(job["memory_bytes"], job["cpu_seconds"])
    rendering = Rendering(job["format"], tuple(map(tuple, job["boxes"])), job["quality"])
    try:
        pictures = render(sys.stdin.buffer.read(), rendering)
    except InvalidPicture as error:
        answer: dict[str, object] = {"error": str(error)}
        parts: list[bytes] = []
    else:
        answer = {"sizes": [[picture.width, picture.height, len(picture.data)] for picture in pictures]}
        parts = [picture.data for picture in pictures]
    sys.stdout.buffer.write(b"".join([json.dumps(answer).encode(), b"\n", *parts]))


def _set_limits(memory_bytes: int, cpu_seconds: int) -> None:
    try:
        import resource  # noqa: PLC0415 - missing on Windows, where only the parent's deadline applies
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))


if __name__ == "__main__":
    main()
