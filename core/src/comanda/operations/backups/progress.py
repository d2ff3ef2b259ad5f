"""Copying of streams that tells how far it is."""

from collections.abc import Callable
from typing import IO, TypeAlias

# Called with the number of bytes that were copied since the last call.
Progress: TypeAlias = Callable[[int], object]

BLOCK_BYTES = 1 << 20


def copy_stream(source: IO[bytes], target: IO[bytes], advance: Progress) -> None:
    """Copy a stream to its end."""
    while block := source.read(BLOCK_BYTES):
        target.write(block)
        advance(len(block))
