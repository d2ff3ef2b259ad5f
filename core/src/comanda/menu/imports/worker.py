"""Process that runs the steps of one import, so that a large menu does not hold the event loop of those who order.

A message is its length in eight bytes and a pickle: on standard input the name of a step and its arguments, on standard
output whether it succeeded, and its result or its error. Both sides run the same code.
"""

import pickle
import sys
from typing import Any, Final

from comanda.basics.errors import ComandaError
from comanda.basics.process_limits import lower_process_priority, set_process_limits
from comanda.menu.imports.plan import CapabilityFailed
from comanda.menu.imports.steps import ImportSteps

HEAD_BYTES: Final = 8
MEMORY_EXIT_CODE: Final = 70


def main() -> None:
    """Run steps until the standard input ends."""
    lower_process_priority()
    set_process_limits(memory_bytes=int(sys.argv[1]), cpu_seconds=int(sys.argv[2]))
    steps = ImportSteps()
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while head := source.read(HEAD_BYTES):
        message = source.read(int.from_bytes(head))
        name, arguments, options = decode_message(message)
        answer: tuple[bool, object]
        try:
            answer = True, getattr(steps, name)(*arguments, **options)
        except (ComandaError, CapabilityFailed) as error:
            answer = False, (type(error), error.args, vars(error))
        except MemoryError:
            sys.exit(MEMORY_EXIT_CODE)
        target.write(encode_message(answer))
        target.flush()


def decode_message(message: bytes) -> Any:
    """Return the value of a message without its length."""
    return pickle.loads(message)  # noqa: S301 - written by the process at the other end of the pipe


def encode_message(value: object) -> bytes:
    encoded = pickle.dumps(value)
    return len(encoded).to_bytes(HEAD_BYTES) + encoded


if __name__ == "__main__":
    main()
