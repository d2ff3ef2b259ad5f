"""Rule for calls that wait: one in a coroutine or a step of an order stops everything that the process does."""

import ast
from collections.abc import Iterator
from typing import Final

from comanda.devkit.authoring.findings import Finding
from comanda.devkit.authoring.source import PluginSource, SourceModule

RULE: Final = "blocking-call"
# The role of which core calls the functions within an order, the plain ones too.
STEPS: Final = "participant"
BLOCKING_CALLS: Final = frozenset(
    {
        "time.sleep", "os.system", "os.popen", "os.wait", "os.waitpid", "subprocess.run", "subprocess.call",
        "subprocess.check_call", "subprocess.check_output", "subprocess.getoutput", "subprocess.getstatusoutput",
        "urllib.request.urlopen", "urllib.request.urlretrieve", "socket.create_connection", "socket.getaddrinfo",
        "socket.gethostbyname", "select.select", "httpx.Client", "httpx.delete", "httpx.get", "httpx.head",
        "httpx.patch", "httpx.post", "httpx.put", "httpx.request", "httpx.stream",
    }
)  # fmt: skip
BLOCKING_PACKAGES: Final = frozenset({"requests", "urllib3", "smtplib", "ftplib", "imaplib", "psycopg2", "pymysql"})

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef


def check_blocking_calls(source: PluginSource) -> Iterator[Finding]:
    """Check what coroutines and steps of orders call, themselves and through plain functions of their module."""
    for module in source.modules:
        imported = _list_imported(module)
        for function in _list_waiting_functions(module):
            for call in _list_calls(function):
                name = _find_name(call.func, imported)
                if name in BLOCKING_CALLS or name.partition(".")[0] in BLOCKING_PACKAGES:
                    sentence = f"{function.name} calls {name}, and the whole process waits for it."
                    yield Finding(str(module.path), call.lineno, RULE, sentence)


def _list_imported(module: SourceModule) -> dict[str, str]:
    """Return what the names that a module imports stand for: ``{"sleep": "time.sleep"}``."""
    imported = {}
    for node in module.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                imported[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            imported.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return imported


def _list_waiting_functions(module: SourceModule) -> list[AnyFunction]:
    """Return coroutines, steps of orders, and the plain functions of the module that these call."""
    functions = [node for node in module.nodes if isinstance(node, AnyFunction)]
    plain = {node.name: node for node in module.tree.body if isinstance(node, ast.FunctionDef)}
    found = [node for node in functions if isinstance(node, ast.AsyncFunctionDef) or module.steps == (STEPS,)]
    for function in found:
        called = [plain.get(call.func.id) for call in _list_calls(function) if isinstance(call.func, ast.Name)]
        found += [node for node in dict.fromkeys(called) if node is not None and node not in found]
    return found


def _list_calls(function: AnyFunction) -> Iterator[ast.Call]:
    """Yield the calls in the body of a function, without those of functions in it, which may run elsewhere."""
    waiting: list[ast.AST] = list(function.body)
    for node in waiting:
        if isinstance(node, ast.Call):
            yield node
        if not isinstance(node, AnyFunction | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def _find_name(called: ast.expr, imported: dict[str, str]) -> str:
    """Return the full name of what is called, or an empty text if it is not imported."""
    names: list[str] = []
    while isinstance(called, ast.Attribute):
        names.insert(0, called.attr)
        called = called.value
    if not isinstance(called, ast.Name) or called.id not in imported:
        return ""
    return ".".join([imported[called.id], *names])
