"""Re-encodes one picture in a process of its own: a decoder that hangs, crashes or eats memory takes nobody with it.

The job comes as JSON in the first argument, the picture on standard input. The answer on standard output is one line of
JSON, ``{"error": sentence}`` or ``{"sizes": [[width, height, bytes]]}``, and after it the pictures' bytes.
"""

import json
import sys

from comanda.photos.pictures import NotAPicture, Rendering, render


def main() -> None:
    """Answer one job."""
    job = json.loads(sys.argv[1])
    _limit(job["memory_bytes"], job["cpu_seconds"])
    rendering = Rendering(job["format"], tuple(map(tuple, job["boxes"])), job["quality"])
    try:
        made = render(sys.stdin.buffer.read(), rendering)
    except NotAPicture as refusal:
        answer: dict[str, object] = {"error": str(refusal)}
        parts: list[bytes] = []
    else:
        answer = {"sizes": [[picture.width, picture.height, len(picture.data)] for picture in made]}
        parts = [picture.data for picture in made]
    sys.stdout.buffer.write(b"".join([json.dumps(answer).encode(), b"\n", *parts]))


def _limit(memory_bytes: int, cpu_seconds: int) -> None:
    try:
        import resource  # noqa: PLC0415 - not on Windows, where the parent's deadline is all there is
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))


if __name__ == "__main__":
    main()
