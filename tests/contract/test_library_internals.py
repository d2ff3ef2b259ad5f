"""Every private name of a library that the product uses is listed here, and the installed versions have it."""

import ast
import inspect
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = [
    path
    for pattern in ("core/src", "plugins/*/src", "verticals/*/src", "mcp_servers/*/src", "migrations")
    for folder in sorted(ROOT.glob(pattern))
    for path in sorted(folder.rglob("*.py"))
]

# A library may rename these in any version, so whoever raises a bound in a pyproject.toml learns here what breaks.
INTERNALS = (
    "asyncpg.connection:Connection._drop_local_statement_cache",
    "asyncpg.connection:Connection._execute",
    "asyncpg.connection:Connection._get_statement",
    "asyncpg.pool:PoolConnectionProxy._con",
    "flask.templating:_default_template_ctx_processor",
    "hypercorn.asyncio.task_group:TaskGroup._task_group",
    "hypercorn.asyncio.task_group:_handle",
    "hypercorn.protocol.h11:H11Protocol._check_protocol",
    "hypercorn.protocol.h11:H11Protocol._handle_events",
    "hypercorn.protocol.h11:H11Protocol._send_error_response",
    "hypercorn.protocol.h11:H11Protocol._send_h11_event",
    "hypercorn.protocol.h2:H2Protocol._close_stream",
    "hypercorn.protocol.h2:H2Protocol._create_stream",
    "hypercorn.protocol.h2:H2Protocol._handle_events",
    "hypercorn.protocol.h2:H2Protocol._send_data",
    "hypercorn.protocol.h2:H2Protocol._window_updated",
    "liquid:Environment._parse",
    "markupsafe:_escape_inner",
    "prometheus_client.metrics:MetricWrapperBase._metric_init",
    "quart.ctx:RequestContext",
    "taskiq:InMemoryBroker._running_tasks",
    "taskiq_redis:RedisStreamBroker._ack_generator",
    "taskiq_redis:RedisStreamBroker._declare_consumer_group",
    "threading:_shutdown",
    "tortoise.backends.asyncpg.client:AsyncpgDBClient._connection",
    "tortoise.backends.asyncpg.client:AsyncpgDBClient._in_transaction",
    "tortoise.backends.asyncpg.client:AsyncpgDBClient._pool",
    "tortoise.backends.asyncpg.client:AsyncpgDBClient._pool_init_lock",
    "tortoise.backends.asyncpg.client:TransactionWrapper._parent",
    "tortoise.context:_global_context",
    "tortoise.models:MetaInfo._filters",
    "tortoise.models:MetaInfo._generate_filters",
    "tortoise.models:Model._meta",
    "tortoise.models:_get_comments",
    "uvicorn.protocols.http.httptools_impl:HttpToolsProtocol._unset_keepalive_if_required",
    "uvicorn.protocols.http.httptools_impl:HttpToolsProtocol._unsupported_upgrade_warning",
    "werkzeug.routing:Rule._compile_builder",
    "werkzeug.routing:Rule._converters",
)
# Documented by Python in spite of their underscores.
DOCUMENTED = {"_current_frames", "_exit", "_replace"}


def is_private(name):
    return name.startswith("_") and name.strip("_") != "" and not name.endswith("__")


def is_ours(module):
    return module.partition(".")[0].startswith("comanda")


class Uses:
    """Collects the private names that a module uses and does not define."""

    def __init__(self, nodes, defined, defined_anywhere):
        self.names = set()
        self._defined = defined
        self._defined_anywhere = defined_anywhere
        self._imported = {}
        visits = {
            ast.Import: self._visit_import,
            ast.ImportFrom: self._visit_import_from,
            ast.Attribute: self._visit_attribute,
            ast.Call: self._visit_call,
            ast.ClassDef: self._visit_class,
        }
        for node in nodes:
            visit = visits.get(type(node))
            if visit is not None:
                visit(node)

    def _visit_import(self, node):
        self.names |= {part for alias in node.names for part in alias.name.split(".") if is_private(part)}

    def _visit_import_from(self, node):
        if node.level or is_ours(node.module):
            return
        self._imported |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
        self.names |= {alias.name for alias in node.names if is_private(alias.name)}
        self.names |= {part for part in node.module.split(".") if is_private(part)}

    def _visit_attribute(self, node):
        match strip_cast(node.value):
            case ast.Call(func=ast.Name(id="super")):
                defined = set()
            case ast.Name(id="self" | "cls"):
                defined = self._defined_anywhere
            case _:
                defined = self._defined
        if is_private(node.attr) and node.attr not in defined:
            self.names.add(node.attr)

    def _visit_call(self, node):
        match node:
            case ast.Call(func=ast.Name(id="getattr" | "setattr" | "hasattr"), args=[_, ast.Constant(value=name), *_]):
                self.names |= {name} if is_private(name) else set()

    def _visit_class(self, node):
        """Find methods that override those of a library."""
        methods = {member.name for member in node.body if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef)}
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id in self._imported:
                module, name = self._imported[base.id]
                kind = getattr(import_module(module), name)
                self.names |= {method for method in methods if is_private(method) and hasattr(kind, method)}


def strip_cast(node):
    match node:
        case ast.Call(func=ast.Name(id="cast"), args=[_, inner]):
            return inner
    return node


def list_defined(nodes):
    found = set()
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                found.add(name)
    return found


def find_internals(sources):
    modules = [list(ast.walk(ast.parse(source))) for source in sources]
    defined = [list_defined(nodes) for nodes in modules]
    defined_anywhere = set().union(*defined)
    uses = (Uses(nodes, own, defined_anywhere) for nodes, own in zip(modules, defined, strict=True))
    return set().union(*(each.names for each in uses)) - DOCUMENTED


@pytest.mark.parametrize("path", INTERNALS)
def test_installed_library_has(path):
    module, _, name = path.partition(":")
    found = import_module(module)
    *owners, name = name.split(".")
    for owner in owners:
        found = getattr(found, owner)

    # What only instances have is set by their own code.
    assert hasattr(found, name) or f"self.{name}" in inspect.getsource(found)


def test_every_internal_is_listed():
    listed = {path.rpartition(":")[2].rpartition(".")[2] for path in INTERNALS}

    assert find_internals(path.read_bytes() for path in SOURCES) == {name for name in listed if is_private(name)}


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("from quart.ctx import _cv_app", "_cv_app"),
        ("from uvicorn._loops import loops", "_loops"),
        ("import tortoise._names", "_names"),
        ("def close(pool):\n    pool._holders.clear()", "_holders"),
        ("models._get_filters = None", "_get_filters"),
        ("found = getattr(models, '_get_filters', None)", "_get_filters"),
        ("class Own(Base):\n    def _read(self):\n        super()._read()", "_read"),
        ('class Own(Base):\n    def _read(self):\n        cast("Any", super())._read()', "_read"),
        (
            "from werkzeug.routing import Rule\nclass Own(Rule):\n    def _compile_builder(self): ...",
            "_compile_builder",
        ),
    ],
)
def test_internal_is_found(source, name):
    own = "class Other:\n    def _compile_builder(self):\n        self._holders = []"

    assert name in find_internals([source, own])


def test_own_private_names_are_not_internals():
    source = "class Own:\n    def _read(self):\n        return Own()._text + self._inherited\n    _text = ''"
    base = "class Base:\n    def __init__(self):\n        self._inherited = ''"

    assert find_internals([source, base]) == set()
