"""What a migration may do to a table that has rows: nothing that rewrites or scans it under a lock that stops orders.

A file creates tables and does with them what it likes. To a table of an earlier file it may

- add a column without a default, or with a constant one, which PostgreSQL stores once and not in each row;
- add a check or a foreign key that is ``NOT VALID``, and validate it in a later file;
- forbid NULL in a column of which a validated check says the same;
- create and drop indexes concurrently, in a file outside a transaction, and turn a unique one into a constraint;
- drop what is not used any more, or change defaults, triggers and storage: locks of a moment.

Rows are filled in by background work, in batches, and not by ``UPDATE``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pglast import ast, enums, parse_sql
from pglast.stream import RawStream

ACTION = enums.AlterTableType
KIND = enums.ConstrType
# They last for a moment, whatever the table holds.
BRIEF_ACTIONS = {
    ACTION.AT_ColumnDefault, ACTION.AT_DropNotNull, ACTION.AT_DropColumn, ACTION.AT_DropConstraint,
    ACTION.AT_SetStatistics, ACTION.AT_SetStorage, ACTION.AT_SetRelOptions, ACTION.AT_ResetRelOptions,
    ACTION.AT_ReplaceRelOptions, ACTION.AT_EnableTrig, ACTION.AT_DisableTrig, ACTION.AT_AddIdentity,
    ACTION.AT_SetIdentity, ACTION.AT_DropIdentity,
}  # fmt: skip
BRIEF_STATEMENTS = (
    ast.CreateFunctionStmt, ast.CreateTrigStmt, ast.ViewStmt, ast.CommentStmt, ast.RenameStmt, ast.CreateSeqStmt,
    ast.AlterSeqStmt, ast.GrantStmt, ast.CreateEnumStmt, ast.AlterEnumStmt,
)  # fmt: skip
TABLE_STATEMENTS = (ast.AlterTableStmt, ast.IndexStmt, ast.UpdateStmt, ast.DeleteStmt, ast.InsertStmt)
KNOWN_STATEMENTS = (ast.CreateStmt, ast.DropStmt, *TABLE_STATEMENTS, *BRIEF_STATEMENTS)
# The moment of the migration, the same for all rows.
STABLE_FUNCTIONS = {"now", "transaction_timestamp"}


@dataclass
class AppTables:
    """What the files of an app so far have made: tables, and checks that forbid NULL by ``(table, column)``.

    ``logs`` are those that may be partitioned, for which PostgreSQL refuses some changes.
    """

    logs: frozenset[str] = frozenset()
    tables: set[str] = field(default_factory=set)
    checks: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    validated: set[tuple[str, str]] = field(default_factory=set)


def find_violations(script: str, *, is_transaction: bool, app: AppTables) -> list[str]:
    """Return a sentence for each statement that stops orders, and add to ``app`` what the file makes."""
    statements = [raw.stmt for raw in parse_sql(script)]
    created = {_name(each.relation) for each in statements if isinstance(each, ast.CreateStmt)}
    found = [
        f"{reason}: {RawStream()(statement)}"
        for statement in statements
        for reason in _check(statement, created, is_transaction, app)
    ]
    app.tables |= created
    return found


def _check(statement: ast.Node, created: set[str], is_transaction: bool, app: AppTables) -> Iterator[str]:
    if isinstance(statement, ast.SelectStmt):
        yield "a migration reads nothing"
    elif not isinstance(statement, KNOWN_STATEMENTS):
        yield "nobody has thought about locks of such a statement"
    elif isinstance(statement, ast.CreateTrigStmt) and _name(statement.relation) in app.logs:
        yield "a log table with triggers cannot be partitioned"
    elif isinstance(statement, TABLE_STATEMENTS) and _name(statement.relation) not in created:
        yield from _check_change(statement, is_transaction, app)


def _check_change(statement: ast.Node, is_transaction: bool, app: AppTables) -> Iterator[str]:
    """Check a statement about a table of an earlier file."""
    if isinstance(statement, ast.AlterTableStmt):
        for command in statement.cmds:
            yield from _check_action(_name(statement.relation), command, is_transaction, app)
    elif isinstance(statement, ast.IndexStmt):
        if not statement.concurrent:
            yield "an index of a table with rows is created concurrently"
        if statement.unique and _name(statement.relation) in app.logs:
            yield from _check_unique_of_log(column.name for column in statement.indexParams)
    elif not (isinstance(statement, ast.InsertStmt) and _is_few_rows(statement)):
        yield "rows are changed in the background, in batches"


def _check_action(table: str, command: ast.AlterTableCmd, is_transaction: bool, app: AppTables) -> Iterator[str]:
    if command.subtype == ACTION.AT_AddColumn:
        yield from _check_column(command.def_)
    elif command.subtype == ACTION.AT_AddConstraint:
        yield from _check_constraint(table, command.def_, app)
    elif command.subtype == ACTION.AT_ValidateConstraint:
        if is_transaction:
            yield "a constraint is validated outside a transaction, which would hold the locks of what came before"
        app.validated.add((table, command.name))
    elif command.subtype == ACTION.AT_SetNotNull:
        if app.checks.get((table, command.name)) not in app.validated:
            yield "a column forbids NULL after a check that says so was validated, in an earlier file"
    elif command.subtype not in BRIEF_ACTIONS:
        yield f"{ACTION(command.subtype).name} rewrites or scans the table, or nobody has thought about its locks"


def _check_column(column: ast.ColumnDef) -> Iterator[str]:
    for constraint in column.constraints or ():
        if constraint.contype == KIND.CONSTR_DEFAULT:
            if not _is_constant(constraint.raw_expr):
                yield "a default that differs by row rewrites the table"
        elif constraint.contype not in {KIND.CONSTR_NOTNULL, KIND.CONSTR_NULL}:
            yield "a column is added alone; its constraint follows NOT VALID, or by a concurrent index"


def _check_constraint(table: str, constraint: ast.Constraint, app: AppTables) -> Iterator[str]:
    if constraint.contype in {KIND.CONSTR_CHECK, KIND.CONSTR_FOREIGN}:
        if not constraint.skip_validation:
            yield "a constraint is added NOT VALID, and validated in a later file"
        if constraint.contype == KIND.CONSTR_FOREIGN and table in app.logs:
            yield "a foreign key of a log table cannot be NOT VALID once the table is partitioned"
        if isinstance(constraint.raw_expr, ast.NullTest) and constraint.raw_expr.nulltesttype == 1:
            column = constraint.raw_expr.arg.fields[-1].sval
            app.checks[table, column] = (table, constraint.conname)
    elif table in app.logs:
        yield "a key cannot be made of an index once a log table is partitioned"
    elif constraint.indexname is None:
        yield "a key or an exclusion is added by means of an index that was created concurrently"


def _check_unique_of_log(columns: Iterable[str | None]) -> Iterator[str]:
    if "id" not in set(columns):
        yield "what is unique in a log table has the id in it, by which the table may be partitioned"


def _is_constant(expression: ast.Node) -> bool:
    if isinstance(expression, ast.TypeCast):
        return _is_constant(expression.arg)
    if isinstance(expression, ast.A_ArrayExpr):
        return all(map(_is_constant, expression.elements or ()))
    if isinstance(expression, ast.FuncCall):
        return expression.funcname[-1].sval in STABLE_FUNCTIONS
    return isinstance(expression, ast.A_Const | ast.SQLValueFunction)


def _is_few_rows(statement: ast.InsertStmt) -> bool:
    """Return whether an ``INSERT`` names its rows."""
    return isinstance(statement.selectStmt, ast.SelectStmt) and bool(statement.selectStmt.valuesLists)


def _name(relation: ast.RangeVar) -> str:
    return str(relation.relname)


def check_app(files: Sequence[tuple[str, bool]], logs: Iterable[str] = ()) -> list[list[str]]:
    """Return the violations of each of an app's files, given as its SQL and whether it is one transaction.

    ``logs`` are its tables that may be partitioned.
    """
    app = AppTables(logs=frozenset(logs))
    return [find_violations(script, is_transaction=is_transaction, app=app) for script, is_transaction in files]
