"""What a plugin says about its tables."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelSet:
    """One app's Tortoise models and the history that makes their tables.

    ``app`` is the plugin's name and the prefix of its tables, ``modules`` are dotted names of the modules that hold the
    models, ``migrations`` is the dotted name of the package whose files aerich numbers, such as
    ``comanda_florist.migrations``.
    """

    app: str
    modules: tuple[str, ...]
    migrations: str
