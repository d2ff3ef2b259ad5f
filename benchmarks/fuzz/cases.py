"""Cases of one operation: what Schemathesis generates, sent by a caller who may call it, or by one who may not."""

import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from typing import Any, Final

import hypothesis
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Err
from schemathesis.schemas import APIOperation

Operation = APIOperation[Any, Any, Any, Any]
GENERATE_ONLY: Final = hypothesis.settings(
    database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), print_blob=False
)
# Of bodies that could be grafted onto a valid one, so many are, with one of these shares of the generated fields: with
# few of them much is accepted, with many of them much is refused.
GRAFTED_SHARE: Final = 0.75
FIELD_SHARES: Final = (0.0, 0.03, 0.1, 0.3)
# The others have generated ids.
OWN_IDS_SHARE: Final = 0.9
# How often a generated case is sent, with other ids, fields and callers each time: generating it takes longest.
SENDS: Final = 8
OWN_SENDS: Final = 4


@dataclass(frozen=True, slots=True)
class Sent:
    """A case with its caller: who that is, the marker of what they may see, and whether the ids are another owner's."""

    case: Case[Any]
    caller: str
    marker: str | None
    is_foreign: bool


def load_operations(document: dict[str, Any]) -> list[Operation]:
    """Read a description. Tokens are not generated: each case has those of its caller."""
    config = schemathesis.Config.from_dict(
        {"generation": {"with-security-parameters": False}, "output": {"sanitization": {"enabled": False}}}
    )
    schema = schemathesis.openapi.from_dict(document, config=config)
    found: list[Operation] = []
    for result in schema.get_all_operations():
        if isinstance(result, Err):
            raise result.err()
        found.append(result.ok())
        found[-1].path = found[-1].definition.raw.get("x-path", found[-1].path)
    return found


@cache
def _get_strategy(operation: Operation, mode: GenerationMode) -> SearchStrategy[Case[Any]]:
    return operation.as_strategy(generation_mode=mode)


def generate_cases(operation: Operation, count: int, rng: random.Random) -> list[Case[Any]]:
    """Generate so many cases that fit the description, and as many that do not, in any order."""
    found: list[Case[Any]] = []
    takes_nothing = not operation.body and not any(operation.iter_parameters())
    for mode in [GenerationMode.POSITIVE] if takes_nothing else GenerationMode:

        @hypothesis.seed(rng.getrandbits(64))
        @hypothesis.settings(GENERATE_ONLY, max_examples=count)
        @hypothesis.given(_get_strategy(operation, mode))
        def keep(case: Case[Any]) -> None:
            found.append(case)

        # Of some operations everything fits.
        with suppress(hypothesis.errors.Unsatisfiable):
            keep()
    rng.shuffle(found)
    return found


def with_callers(
    generated: Iterable[Case[Any]],
    records: list[dict[str, Any]],
    kinds: list[str],
    callers: Mapping[str, dict[str, str]],
    rng: random.Random,
) -> Iterator[Sent]:
    """Yield each generated case ``SENDS`` times: first from a caller with what is theirs.

    Then with another owner's ids, and from callers of other kinds, who take turns, or with no token.
    """
    name = ", ".join(kinds) or "nobody"
    others = cycle(rng.sample(sorted(callers), len(callers)))
    for number, case in enumerate(generated):
        if not records:
            yield from (
                Sent(_fill(case, None, callers[other], rng), other, None, False) for other in islice(others, SENDS)
            )
            continue
        own, other_owners = (records[(number + step) % len(records)] for step in range(2))
        for _ in range(OWN_SENDS):
            yield Sent(_fill(case, own, own["headers"], rng), name, own["marker"], False)
        # A name in the path, such as that of a language, is nobody's.
        is_foreign = own["ids"] != other_owners["ids"]
        # Without a token, those who have another owner's secret, such as a PIN, may see what it opens.
        marker = own["marker"] if kinds else other_owners["marker"]
        yield Sent(_fill(case, other_owners, own["headers"], rng), f"{name} of another owner", marker, is_foreign)
        for other in islice(others, SENDS - OWN_SENDS - 1):
            marker = None if kinds else own["marker"]
            yield Sent(_fill(case, own, callers[other], rng), other, marker, is_foreign)


def _fill(
    case: Case[Any], record: Mapping[str, Any] | None, headers: Mapping[str, str], rng: random.Random
) -> Case[Any]:
    """Copy a case with the ids of a record, the headers of a caller, and fields of the record's valid body."""
    body, ids = case.body, dict(case.path_parameters)
    if record is not None:
        if rng.random() < OWN_IDS_SHARE:
            ids |= {name: str(value) for name, value in record["ids"].items()}
        if isinstance(body, dict) and isinstance(record["body"], dict) and rng.random() < GRAFTED_SHARE:
            body = _graft(record["body"], body, rng.choice(FIELD_SHARES), rng)
    filled: Case[Any] = case.operation.Case(
        path_parameters=ids,
        headers={**case.headers, **headers},
        cookies=dict(case.cookies),
        query=dict(case.query),
        body=body,
        media_type=case.media_type,
        multipart_content_types=case.multipart_content_types,
    )
    return filled


def _graft(valid: Mapping[str, Any], generated: Mapping[str, Any], share: float, rng: random.Random) -> dict[str, Any]:
    """Replace a share of the fields of a valid body by generated ones."""
    grafted = dict(valid)
    for name, value in generated.items():
        if isinstance(value, dict) and isinstance(valid.get(name), dict):
            grafted[name] = _graft(valid[name], value, share, rng)
        elif rng.random() < share:
            grafted[name] = value
    return grafted
