"""Less memory: Tortoise makes the filters of a model when the first query needs them, instead of for all models.

Tortoise describes every comparison with every column, such as ``name__startswith``, in a dictionary of its own. With
every plugin of the repository these are 10 MiB in each process, and most statements are SQL that needs none of them.
"""

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any, cast

from tortoise import models
from tortoise.fields.base import Field
from tortoise.filters import get_filters_for_field
from tortoise.models import MetaInfo

# A private method of Tortoise: in a version without it, nothing is changed.
_tortoise_generate_filters = getattr(MetaInfo, "_generate_filters", None)


def defer_filters() -> None:
    """Make Tortoise create the filters of models that are defined from now on at their first use."""
    if _tortoise_generate_filters is not None:
        # The types say that neither is to be changed.
        cast("Any", models).get_filters_for_field = _declare_filters
        cast("Any", MetaInfo)._generate_filters = _defer_generation


@dataclass(frozen=True, slots=True)
class _DeferredFilters:
    """What the filters of one field are created from."""

    field_name: str
    field: Field[Any]
    source_field: str

    def create(self) -> dict[str, Any]:
        return dict(get_filters_for_field(self.field_name, self.field, self.source_field))


def _declare_filters(field_name: str, field: Field[Any] | None, source_field: str) -> dict[str, Any]:
    if field is None:  # an annotation of a query, which compares with it at once
        return dict(get_filters_for_field(field_name, field, source_field))
    return {field_name: _DeferredFilters(field_name, field, source_field)}


def _defer_generation(meta: MetaInfo) -> None:
    known = meta.filters
    deferred = _ModelFilters(meta, known.known if isinstance(known, _ModelFilters) else known)
    meta.filters = cast("dict[str, Any]", deferred)


class _ModelFilters(MutableMapping[str, Any]):
    """The filters of a model until one of them is used; then Tortoise's own dictionary takes its place.

    ``known`` are filters that exist already: those of relations, and of an earlier initialization.
    """

    def __init__(self, meta: MetaInfo, known: dict[str, Any]) -> None:
        self._meta = meta
        self.known = known

    def _create(self) -> dict[str, Any]:
        if self._meta.filters is self and _tortoise_generate_filters is not None:
            created: dict[str, Any] = {}
            for name, found in self._meta._filters.items():
                created |= found.create() if isinstance(found, _DeferredFilters) else {name: found}
            self._meta._filters = created
            self._meta.filters = self.known
            _tortoise_generate_filters(self._meta)
        return self._meta.filters

    def __getitem__(self, key: str) -> Any:
        return self._create()[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._create()[key] = value

    def __delitem__(self, key: str) -> None:
        del self._create()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._create())

    def __len__(self) -> int:
        return len(self._create())
