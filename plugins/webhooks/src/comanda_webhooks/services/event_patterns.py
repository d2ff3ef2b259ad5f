"""The event patterns of an endpoint: exact names, ``group.*`` and ``*``."""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

ALL_EVENTS = "*"
PING_EVENT = "ping"  # the test event; it reaches every endpoint whatever its patterns


class InvalidPatterns(ValueError):
    """Patterns that match no known event. ``messages`` has one sentence per error, for ``errors.events``."""

    def __init__(self, messages: Sequence[str]) -> None:
        super().__init__(" ".join(messages))
        self.messages = tuple(messages)


def normalize_patterns(patterns: Iterable[str], known_names: Collection[str]) -> tuple[str, ...]:
    """Return the patterns in the order given, without duplicates.

    ``known_names`` are the events that may be subscribed to; ``ping`` is also accepted. Raises ``InvalidPatterns``
    with every unknown pattern, and for an empty list.
    """
    unique = tuple(dict.fromkeys(patterns))
    if not unique:
        raise InvalidPatterns(["Must contain at least 1 event, or * for all."])
    unknown = [pattern for pattern in unique if not _is_known(pattern, known_names)]
    if unknown:
        raise InvalidPatterns([_to_message(pattern, known_names) for pattern in unknown])
    return unique


def matches(patterns: Collection[str], name: str) -> bool:
    """Return whether an endpoint with these normalised patterns receives the event ``name``."""
    return (
        name in patterns
        or ALL_EVENTS in patterns
        or any(pattern.endswith(".*") and name.startswith(pattern[:-1]) for pattern in patterns)
    )


def _is_known(pattern: str, known_names: Collection[str]) -> bool:
    if pattern in (ALL_EVENTS, PING_EVENT):
        return True
    if pattern.endswith(".*"):
        return any(name.startswith(pattern[:-1]) for name in known_names)
    return pattern in known_names


def _to_message(pattern: str, known_names: Collection[str]) -> str:
    groups = {name.rpartition(".")[0] + ".*" for name in known_names if "." in name}
    close = get_close_matches(pattern, groups if pattern.endswith(".*") else known_names, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    return f"Unknown event {pattern}.{hint}"
