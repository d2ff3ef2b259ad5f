"""Which events an endpoint listens to: exact names, ``group.*`` and ``*``."""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

EVERYTHING = "*"
PING = "ping"  # the test action's event; it reaches every endpoint whatever its patterns say


class InvalidPatterns(ValueError):
    """Patterns that select no known event; ``messages`` has one sentence per fault, ready for ``errors.events``."""

    def __init__(self, messages: Sequence[str]) -> None:
        super().__init__(" ".join(messages))
        self.messages = tuple(messages)


def normalise(patterns: Iterable[str], known_names: Collection[str]) -> tuple[str, ...]:
    """The patterns in the order given, each once.

    ``known_names`` are the events that may be subscribed to. ``ping`` is accepted besides; it selects no other.
    Raises ``InvalidPatterns``, naming every unknown pattern, and for an empty list, which would never hear anything.
    """
    unique = tuple(dict.fromkeys(patterns))
    if not unique:
        raise InvalidPatterns(["Choose at least one event, or * for all."])
    unknown = [pattern for pattern in unique if not _is_known(pattern, known_names)]
    if unknown:
        raise InvalidPatterns([_explain(pattern, known_names) for pattern in unknown])
    return unique


def matches(patterns: Collection[str], name: str) -> bool:
    """Whether an endpoint with these (normalised) patterns receives the event ``name``."""
    return (
        name in patterns
        or EVERYTHING in patterns
        or any(pattern.endswith(".*") and name.startswith(pattern[:-1]) for pattern in patterns)
    )


def _is_known(pattern: str, known_names: Collection[str]) -> bool:
    if pattern in (EVERYTHING, PING):
        return True
    if pattern.endswith(".*"):
        return any(name.startswith(pattern[:-1]) for name in known_names)
    return pattern in known_names


def _explain(pattern: str, known_names: Collection[str]) -> str:
    groups = {name.rpartition(".")[0] + ".*" for name in known_names if "." in name}
    close = get_close_matches(pattern, groups if pattern.endswith(".*") else known_names, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    return f"Unknown event {pattern}.{hint}"
