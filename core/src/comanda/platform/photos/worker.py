"""Process that re-encodes one picture, isolated because a decoder may hang, crash or exhaust memory.

The job comes as JSON in the first argument, the picture on standard input. The answer on standard output is one line of
JSON, ``{"error": sentence}`` or ``{"sizes": [[width, height, bytes]]}``, and after it the pictures' bytes.
"""

import json
import sys
from importlib import import_module

from comanda.basics.process_limits import lower_process_priority, set_process_limits
from comanda.platform.photos.pictures import InvalidPicture, Rendering, render


def main() -> None:
    """Run one job."""
    lower_process_priority()
    job = json.loads(sys.argv[1])
    # Before the limits apply, which are meant for one picture.
    for library in ("PIL.Image", "PIL.ImageCms", "PIL.ImageOps"):
        import_module(library)
    set_process_limits(memory_bytes=job["memory_bytes"], cpu_seconds=job["cpu_seconds"])
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


if __name__ == "__main__":
    main()
