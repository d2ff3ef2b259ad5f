"""URL rules that compile what builds their URLs at the first use.

Compiling it takes most of the time of a rule, a fifth of the start of a server; the rules of routes never build a URL.
"""

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule


class LazyRule(Rule):
    """A rule whose URL builders are compiled when they are first called."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compile_builder = super()._compile_builder
        name = "_build_unknown" if append_unknown else "_build"

        # Positional only, as any name may be one of the rule's parameters.
        def build(rule: Rule, /, **values: Any) -> tuple[str, str]:
            compiled = compile_builder(append_unknown).__get__(rule, None)
            setattr(rule, name, compiled)
            found: tuple[str, str] = compiled(**values)
            return found

        return build
