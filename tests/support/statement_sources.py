"""SQL statements that stand in the sources of core and of the installed plugins as constants."""

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType, ModuleType

from comanda.composition import plugin_loader
from pglast import parse_sql
from pglast.parser import ParseError
from recorded_statements import RecordedStatement

BEGINNING = re.compile(r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s", re.DOTALL)


def find_statements() -> Iterator[RecordedStatement]:
    """Yield the statements of all modules; parts of statements are left out."""
    seen = set()
    for module in _modules():
        for text in _texts(module):
            found = RecordedStatement(text, module.__name__)
            if BEGINNING.match(text) and found not in seen and _is_whole(text):
                seen.add(found)
                yield found


def _modules() -> Iterator[ModuleType]:
    modules = [module for each in plugin_loader.load() for module in each.modules]
    packages = {module.__name__.partition(".")[0] for module in modules}
    for name in sorted(packages):
        package = importlib.import_module(name)
        yield package
        for each in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not each.name.rpartition(".")[2].startswith("__"):
                yield importlib.import_module(each.name)


def _texts(module: ModuleType) -> Iterator[str]:
    for value in list(vars(module).values()):
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from (one for one in value.values() if isinstance(one, str))
        elif isinstance(value, (tuple, list, set, frozenset)):
            yield from (one for one in value if isinstance(one, str))
        elif isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield from _constants(value.__code__)
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for one in vars(value).values():
                function = getattr(one, "__func__", one)
                if isinstance(function, FunctionType):
                    yield from _constants(function.__code__)


def _constants(code: CodeType) -> Iterator[str]:
    for value in code.co_consts:
        if isinstance(value, str):
            yield value
        elif isinstance(value, CodeType):
            yield from _constants(value)


def _is_whole(text: str) -> bool:
    try:
        parse_sql(text)
    except ParseError:
        return False
    return True
