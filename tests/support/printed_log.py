"""What running programs logged."""

import json


def read_log(program):
    """Return the lines of a program's log so far.

    Between them stands what is printed for a person, such as the link to set up, and the last may be half written.
    """
    lines = program.printed().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("\n")]


def list_events(program, name):
    """Return the lines of one event."""
    return [line for line in read_log(program) if line["event"] == name]
