"""Construction of records, which are frozen dataclasses: fast ones, and ones that extend another record."""

from collections.abc import Callable, Iterable
from dataclasses import field, fields, make_dataclass
from typing import Any, ParamSpec, TypeVar, cast

T = TypeVar("T")
P = ParamSpec("P")


def build_constructor(record: type[T]) -> Callable[[Iterable[Any]], T]:
    """Return a constructor of a frozen dataclass with slots, which takes the values of all its fields in their order.

    The constructor of a frozen dataclass sets each field with ``object.__setattr__``, which takes eight times as long
    as assigning it. This one fills an instance of a mutable class with the same slots, which then becomes the record.
    ``record`` has no base class with slots of its own.
    """
    mutable = make_dataclass(record.__name__, [(field.name, Any) for field in fields(cast("Any", record))], slots=True)

    def construct(values: Iterable[Any]) -> T:
        made = mutable(*values)
        made.__class__ = record
        return cast("T", made)

    return construct


def build_keyword_constructor(record: Callable[P, T]) -> Callable[P, T]:
    """Return a constructor of a frozen dataclass with slots that takes the same arguments as the class.

    It is as fast as those of ``build_constructor``, for records of the same kind.
    """
    known = fields(cast("Any", record))
    mutable = make_dataclass(
        "Mutable",
        [(each.name, Any, field(default=each.default, default_factory=each.default_factory)) for each in known],
        slots=True,
    )

    def construct(*values: P.args, **named: P.kwargs) -> T:
        made = mutable(*values, **named)
        made.__class__ = record
        return cast("T", made)

    return construct


def extend_record(kind: type[T], record: object, /, **more: object) -> T:
    """Return a record whose fields are the attributes of another record or row by these names, and ``more``."""
    names = (field.name for field in fields(cast("Any", kind)))
    return kind(**{name: getattr(record, name) for name in names if name not in more and hasattr(record, name)}, **more)
