"""Compiled templates of pages, which all processes of tests share."""

import jinja2
from jinja2 import FileSystemBytecodeCache

from comanda.web.application import PageApplication


def keep_compiled_templates() -> None:
    """Keep the templates of pages compiled, in a folder of this account: those of one page take 0.1 s to compile.

    What is kept of a template that has changed since is replaced.
    """
    pattern = f"comanda-{jinja2.__version__}-%s.cache"
    PageApplication.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(pattern=pattern)}
