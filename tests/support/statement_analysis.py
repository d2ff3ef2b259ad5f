"""Which tables an SQL statement reads and writes, and which of their rows it ties to an owner.

A relation (one occurrence of a table) is tied if its column ``owner_id`` is compared with a parameter, or with a column
that is tied itself, directly or through others. Comparisons count that every row of the result has to pass: ``=``,
``= ANY``, ``IN``, ``IS NOT DISTINCT FROM`` and ``USING``, of single columns or of rows, in ``WHERE`` and ``ON``, joined
by ``AND`` or in all branches of an ``OR``. The condition of an outer join ties only its nullable side. A condition ties
rows inside a subquery of ``FROM`` unless that has a ``LIMIT``, but never rows inside a ``WITH``, whose own conditions
must do.

Not seen: whether a parameter holds the caller's owner, what a function or a trigger does inside the database, and
comparisons by other means (``BETWEEN``, ``CASE``). Statements of forms that are not handled raise
``UnknownStatement``, so that none passes by being unknown.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from pglast import ast, enums, parse_sql

OWNER = "owner_id"
JOIN_TIES = {  # which sides of a join its condition ties
    enums.JoinType.JOIN_INNER: (True, True),
    enums.JoinType.JOIN_LEFT: (False, True),
    enums.JoinType.JOIN_RIGHT: (True, False),
    enums.JoinType.JOIN_FULL: (False, False),
}
# Statements about the session or the transaction.
SESSION_STATEMENTS = (ast.TransactionStmt, ast.VariableSetStmt, ast.VariableShowStmt, ast.ListenStmt, ast.UnlistenStmt)
SESSION_STATEMENTS += (ast.NotifyStmt, ast.ExplainStmt, ast.VacuumStmt)


class UnknownStatement(Exception):
    """A statement of a form that is not handled."""


@dataclass(frozen=True)
class Analysis:
    """The tables that a statement ``reads`` and ``writes``, and those of which it leaves rows ``untied``."""

    reads: frozenset[str]
    writes: frozenset[str]
    untied: frozenset[str]


@dataclass(eq=False)
class _Value:
    """A column or an expression. It is tied if one source is tied, or every value of one of the groups."""

    sources: list["_Value"] = field(default_factory=list)
    groups: list[list["_Value"]] = field(default_factory=list)
    is_tied: bool = False

    def is_tied_now(self) -> bool:
        return any(source.is_tied for source in self.sources) or any(
            all(value.is_tied for value in group) for group in self.groups
        )


@dataclass(eq=False)
class _Relation:
    """An item of FROM. Without ``known`` columns it has every column that is asked for."""

    name: str
    columns: dict[str, _Value]
    make: Callable[[], _Value]
    known: frozenset[str] | None = None
    table: str | None = None
    default: _Value | None = None

    def has(self, column: str) -> bool:
        return column in self.columns if self.known is None else column in self.known

    def column(self, name: str) -> _Value:
        if name not in self.columns:
            self.columns[name] = self.default or self.make()
        return self.columns[name]


_Columns = list[tuple[str, _Value]]


@dataclass(eq=False)
class _Level:
    """A query and what its expressions can name."""

    parent: "_Level | None"
    queries: dict[str, _Columns]
    relations: list[_Relation] = field(default_factory=list)
    # Whether conditions of this level hold for every row of the level above.
    binds_parent: bool = False


class _Analyzer:
    def __init__(self, tables: Mapping[str, frozenset[str]], entries: Mapping[str, frozenset[str]]) -> None:
        self.tables = tables
        self.entries = entries
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.values: list[_Value] = []
        self.required: list[_Relation] = []
        self.parameter = _Value(is_tied=True)

    def value(self, *sources: _Value, groups: list[list[_Value]] | None = None) -> _Value:
        made = _Value(list(sources), groups or [])
        self.values.append(made)
        return made

    def untied(self) -> set[str]:
        for relation in self.required:
            relation.column(OWNER)
        waiting = True
        while waiting:
            waiting = False
            for value in self.values:
                if not value.is_tied and value.is_tied_now():
                    value.is_tied = waiting = True
        return {relation.table or "" for relation in self.required if not self.is_found(relation)}

    def is_found(self, relation: _Relation) -> bool:
        entries = self.entries.get(relation.table or "", frozenset())
        return any(relation.columns[column].is_tied for column in entries | {OWNER} if column in relation.columns)

    # Queries

    def query(self, node, parent: _Level | None, queries: dict[str, _Columns], *, binds_parent=False) -> _Columns:
        level = _Level(parent, dict(queries), binds_parent=binds_parent)
        if node.withClause is not None:
            for each in node.withClause.ctes:
                self.common_query(each, level, recursive=node.withClause.recursive)
        match node:
            case ast.SelectStmt():
                return self.select(node, level)
            case ast.InsertStmt():
                return self.insert(node, level)
            case ast.UpdateStmt() | ast.DeleteStmt():
                return self.change(node, level)
        raise UnknownStatement(type(node).__name__)

    def common_query(self, each: ast.CommonTableExpr, level: _Level, *, recursive: bool) -> None:
        known = level.queries
        if recursive and isinstance(each.ctequery, ast.SelectStmt) and each.ctequery.larg is not None:
            # What it returns of itself comes from its first part.
            known = {**known, each.ctename: self.query(each.ctequery.larg, level.parent, known)}
        columns = self.query(each.ctequery, level.parent, known)
        names = [one.sval for one in each.aliascolnames or ()]
        level.queries[each.ctename] = _rename(columns, names)

    def select(self, node: ast.SelectStmt, level: _Level) -> _Columns:
        if node.op != enums.SetOperation.SETOP_NONE:
            left = self.query(node.larg, level.parent, level.queries)
            right = self.query(node.rarg, level.parent, level.queries)
            combined = []
            for (name, first), (_, second) in zip(left, right, strict=False):
                both = self.value(groups=[[first, second]])
                if not _is_limited(node):
                    first.sources.append(both)
                    second.sources.append(both)
                combined.append((name, both))
            return combined
        if node.valuesLists:
            rows = [[self.expression(one, level) for one in row] for row in node.valuesLists]
            return [
                (f"column{place}", self.value(groups=[list(column)]))
                for place, column in enumerate(zip(*rows, strict=True), 1)
            ]
        for item in node.fromClause or ():
            self.add_from(item, level)
        self.condition(node.whereClause, level, None)
        for part in (node.havingClause, node.groupClause, node.sortClause, node.limitCount, node.limitOffset):
            self.walk(part, level)
        self.walk(node.windowClause, level)
        self.walk(node.distinctClause, level)
        return self.outputs(node.targetList, level)

    def insert(self, node: ast.InsertStmt, level: _Level) -> _Columns:
        source = self.query(node.selectStmt, level.parent, level.queries) if node.selectStmt is not None else []
        target = self.target(node.relation, level)
        names = [one.name for one in node.cols or ()] or sorted(self.tables.get(target.table or "", ()))
        for name, (_, value) in zip(names, source, strict=False):
            target.column(name).sources.append(value)
        if node.onConflictClause is not None:
            level.relations.append(_Relation("excluded", target.columns, self.value, known=target.known))
            self.walk(node.onConflictClause, level)
            level.relations.pop()
        return self.outputs(_returned(node), level)

    def change(self, node: ast.UpdateStmt | ast.DeleteStmt, level: _Level) -> _Columns:
        self.target(node.relation, level)
        is_update = isinstance(node, ast.UpdateStmt)
        for item in (node.fromClause if is_update else node.usingClause) or ():
            self.add_from(item, level)
        self.condition(node.whereClause, level, None)
        if is_update:
            self.walk([one.val for one in node.targetList], level)
        return self.outputs(_returned(node), level)

    def outputs(self, targets, level: _Level) -> _Columns:
        found: _Columns = []
        for target in targets or ():
            expression = target.val
            if isinstance(expression, ast.ColumnRef) and isinstance(expression.fields[-1], ast.A_Star):
                wanted = expression.fields[0].sval if len(expression.fields) > 1 else None
                for relation in level.relations:
                    if wanted in {None, relation.name}:
                        names = sorted(relation.known) if relation.known is not None else list(relation.columns)
                        found += [(name, relation.column(name)) for name in names]
                continue
            found.append((target.name or _name_of(expression), self.expression(expression, level)))
        return found

    # FROM

    def target(self, node: ast.RangeVar, level: _Level) -> _Relation:
        made = self.table(node, level)
        self.writes.add(node.relname)
        return made

    def table(self, node: ast.RangeVar, level: _Level) -> _Relation:
        columns = self.tables.get(node.relname)
        made = _Relation(node.alias.aliasname if node.alias else node.relname, {}, self.value, columns, node.relname)
        level.relations.append(made)
        if columns is not None and OWNER in columns:
            self.required.append(made)
        return made

    def add_from(self, node, level: _Level) -> list[_Relation]:
        match node:
            case ast.RangeVar() if node.schemaname is None and node.relname in level.queries:
                # Conditions on a WITH query do not reach into it.
                copies = {name: self.value(value) for name, value in level.queries[node.relname]}
                made = _Relation(node.alias.aliasname if node.alias else node.relname, copies, self.value)
                level.relations.append(made)
                return [made]
            case ast.RangeVar():
                self.reads.add(node.relname)
                return [self.table(node, level)]
            case ast.RangeSubselect():
                columns = _rename(self.query(node.subquery, level, level.queries), _alias_columns(node.alias))
                if _is_limited(node.subquery):
                    columns = [(name, self.value(value)) for name, value in columns]
                made = _Relation(node.alias.aliasname if node.alias else "", dict(columns), self.value)
            case ast.RangeFunction():
                made = self.function(node, level)
            case ast.JoinExpr():
                return self.join(node, level)
            case _:
                raise UnknownStatement(type(node).__name__)
        level.relations.append(made)
        return [made]

    def function(self, node: ast.RangeFunction, level: _Level) -> _Relation:
        # The rows of a function of parameters alone, such as unnest($1), are parameters too.
        depends = any(isinstance(one, (ast.ColumnRef, ast.SubLink)) for one in _descend(node.functions))
        self.walk(node.functions, level)
        default = None if depends else self.parameter
        names = _alias_columns(node.alias) + [one.colname for one in node.coldeflist or ()]
        alias = node.alias.aliasname if node.alias else _function_name(node)
        names = names or [alias, "ordinality"]
        return _Relation(alias, {name: default or self.value() for name in names}, self.value, default=default)

    def join(self, node: ast.JoinExpr, level: _Level) -> list[_Relation]:
        if node.isNatural or node.jointype not in JOIN_TIES:
            raise UnknownStatement("NATURAL JOIN")
        left, right = self.add_from(node.larg, level), self.add_from(node.rarg, level)
        ties_left, ties_right = JOIN_TIES[node.jointype]
        allowed = [*(left if ties_left else ()), *(right if ties_right else ())]
        self.condition(node.quals, level, allowed)
        for name in (one.sval for one in node.usingClause or ()):
            first = next(one for one in left if one.has(name)).column(name)
            second = next(one for one in right if one.has(name)).column(name)
            if ties_left:
                first.sources.append(second)
            if ties_right:
                second.sources.append(first)
        return [*left, *right]

    # Conditions

    def condition(self, node, level: _Level, allowed: list[_Relation] | None) -> None:
        """Apply the comparisons that hold if a condition does; ``allowed`` are the relations that they may tie."""
        for value, sources in self.ties(node, level, allowed):
            value.sources += sources

    def ties(self, node, level: _Level, allowed) -> Iterator[tuple[_Value, list[_Value]]]:
        """Yield each value that a condition ties, with the values of which any one ties it."""
        match node:
            case None:
                return
            case ast.BoolExpr(boolop=enums.BoolExprType.AND_EXPR):
                for each in node.args:
                    yield from self.ties(each, level, allowed)
            case ast.BoolExpr(boolop=enums.BoolExprType.OR_EXPR):
                yield from self.alternatives(node.args, level, allowed)
            case ast.A_Expr() if _is_equal(node):
                yield from self.comparison(node, level, allowed)
            case ast.SubLink(subLinkType=enums.SubLinkType.ANY_SUBLINK) if node.operName is None:
                yield from self.membership(node, level, allowed)
            case ast.SubLink(subLinkType=enums.SubLinkType.EXISTS_SUBLINK):
                self.query(node.subselect, level, level.queries, binds_parent=allowed is None)
            case _:
                self.walk(node, level)

    def alternatives(self, branches, level: _Level, allowed) -> Iterator[tuple[_Value, list[_Value]]]:
        """Yield what every branch of an OR ties."""
        found: list[dict[_Value, list[_Value]]] = []
        for branch in branches:
            tied: dict[_Value, list[_Value]] = {}
            for value, sources in self.ties(branch, level, allowed):
                tied.setdefault(value, []).extend(sources)
            found.append(tied)
        for value in found[0]:
            if all(value in one for one in found):
                yield value, [self.value(groups=[[self.value(*one[value]) for one in found]])]

    def comparison(self, node: ast.A_Expr, level: _Level, allowed) -> Iterator[tuple[_Value, list[_Value]]]:
        match node.kind:
            case enums.A_Expr_Kind.AEXPR_OP | enums.A_Expr_Kind.AEXPR_NOT_DISTINCT:
                yield from self.equal(node.lexpr, node.rexpr, level, allowed)
            case enums.A_Expr_Kind.AEXPR_OP_ANY:
                yield from self.among(node.lexpr, [node.rexpr], level, allowed)
            case enums.A_Expr_Kind.AEXPR_IN:
                yield from self.among(node.lexpr, list(node.rexpr), level, allowed)
            case _:
                self.walk(node, level)

    def membership(self, node: ast.SubLink, level: _Level, allowed) -> Iterator[tuple[_Value, list[_Value]]]:
        """Yield what ``IN (SELECT …)`` ties on both sides."""
        columns = self.query(node.subselect, level, level.queries, binds_parent=allowed is None)
        for (term, relation), (_, value) in zip(self.terms(node.testexpr, level), columns, strict=False):
            if _may_tie(relation, level, allowed):
                yield term, [value]
            if not _is_limited(node.subselect):
                yield value, [term]

    def equal(self, left, right, level: _Level, allowed) -> Iterator[tuple[_Value, list[_Value]]]:
        for (first, first_of), (second, second_of) in zip(
            self.terms(left, level), self.terms(right, level), strict=False
        ):
            if _may_tie(first_of, level, allowed):
                yield first, [second]
            if _may_tie(second_of, level, allowed):
                yield second, [first]

    def among(self, left, options: list, level: _Level, allowed) -> Iterator[tuple[_Value, list[_Value]]]:
        terms = self.terms(left, level)
        rows = [self.terms(option, level) for option in options]
        for place, (term, relation) in enumerate(terms):
            if _may_tie(relation, level, allowed):
                yield term, [self.value(groups=[[row[place][0] for row in rows]])]

    def terms(self, node, level: _Level) -> list[tuple[_Value, _Relation | None]]:
        """Return the values of an expression, several for a row, each with the relation whose column it is."""
        if isinstance(node, ast.RowExpr):
            return [self.term(one, level) for one in node.args]
        if isinstance(node, ast.SubLink) and node.subLinkType == enums.SubLinkType.EXPR_SUBLINK:
            return [(value, None) for _, value in self.query(node.subselect, level, level.queries)]
        return [self.term(node, level)]

    def term(self, node, level: _Level) -> tuple[_Value, _Relation | None]:
        if isinstance(node, ast.ColumnRef) and not isinstance(node.fields[-1], ast.A_Star):
            return self.resolve(node, level)
        return self.expression(node, level), None

    def expression(self, node, level: _Level) -> _Value:
        match node:
            case ast.ColumnRef() if not isinstance(node.fields[-1], ast.A_Star):
                return self.resolve(node, level)[0]
            case ast.TypeCast():
                return self.expression(node.arg, level)
            case ast.SubLink(subLinkType=enums.SubLinkType.EXPR_SUBLINK | enums.SubLinkType.ARRAY_SUBLINK):
                self.walk(node.testexpr, level)
                columns = self.query(node.subselect, level, level.queries)
                return columns[0][1] if columns else self.value()
            case ast.CoalesceExpr():
                return self.value(groups=[[self.expression(one, level) for one in node.args]])
        self.walk(node, level)
        depends = any(isinstance(one, (ast.ColumnRef, ast.SubLink)) for one in _descend(node))
        return self.value() if depends else self.parameter

    def resolve(self, node: ast.ColumnRef, level: _Level) -> tuple[_Value, _Relation]:
        names = [one.sval for one in node.fields]
        at: _Level | None = level
        while at is not None:
            for relation in at.relations:
                if (len(names) > 1 and relation.name == names[-2]) or (len(names) == 1 and relation.has(names[0])):
                    return relation.column(names[-1]), relation
            if len(names) == 1 and (named := [one for one in at.relations if one.name == names[0]]):
                return self.value(), named[0]  # a whole row
            if len(names) == 1 and at.parent is None:
                # A column of a function, or of a table that the catalog does not know.
                open_ones = [one for one in at.relations if one.known is None or one.table not in self.tables]
                if open_ones:
                    return open_ones[0].column(names[0]), open_ones[0]
            at = at.parent
        return self.value(), _Relation("", {}, self.value)

    def walk(self, node, level: _Level) -> None:
        """Analyze the subqueries of an expression, whose conditions say nothing about the rows outside."""
        for one in _descend(node, into_queries=False):
            if isinstance(one, ast.SubLink):
                self.query(one.subselect, level, level.queries)


def analyze(
    statement: str, tables: Mapping[str, frozenset[str]], entries: Mapping[str, frozenset[str]] | None = None
) -> Analysis:
    """Analyze a statement; ``tables`` are the columns of each table and view.

    ``entries`` are columns by table, such as the hash of a token: who compares one with a parameter has found a row,
    but nothing that is joined to it.
    """
    analyzer = _Analyzer(tables, entries or {})
    for each in parse_sql(statement):
        if not isinstance(each.stmt, SESSION_STATEMENTS):
            if not isinstance(each.stmt, (ast.SelectStmt, ast.InsertStmt, ast.UpdateStmt, ast.DeleteStmt)):
                raise UnknownStatement(type(each.stmt).__name__)
            analyzer.query(each.stmt, None, {})
    return Analysis(frozenset(analyzer.reads), frozenset(analyzer.writes), frozenset(analyzer.untied()))


def _may_tie(relation: _Relation | None, level: _Level, allowed: list[_Relation] | None) -> bool:
    if relation is None:
        return False
    if relation in level.relations:
        return allowed is None or relation in allowed
    return allowed is None and level.binds_parent and level.parent is not None and relation in level.parent.relations


def _is_equal(node: ast.A_Expr) -> bool:
    return node.name[-1].sval == "="


def _is_limited(node) -> bool:
    return not isinstance(node, ast.SelectStmt) or node.limitCount is not None


def _rename(columns: _Columns, names: list[str]) -> _Columns:
    return [(names[place] if place < len(names) else name, value) for place, (name, value) in enumerate(columns)]


def _returned(node) -> list:
    return node.returningClause.exprs if node.returningClause is not None else []


def _alias_columns(alias) -> list[str]:
    return [one.sval for one in alias.colnames or ()] if alias is not None else []


def _function_name(node: ast.RangeFunction) -> str:
    call = node.functions[0][0]
    return call.funcname[-1].sval if isinstance(call, ast.FuncCall) else ""


def _name_of(node) -> str:
    match node:
        case ast.ColumnRef():
            return node.fields[-1].sval
        case ast.TypeCast():
            return _name_of(node.arg)
        case ast.FuncCall():
            return node.funcname[-1].sval
        case ast.CoalesceExpr():
            return "coalesce"
    return "?column?"


def _descend(node, *, into_queries: bool = True) -> Iterator[ast.Node]:
    """Yield the nodes of an expression."""
    if isinstance(node, (list, tuple)):
        for one in node:
            yield from _descend(one, into_queries=into_queries)
    elif isinstance(node, ast.Node):
        yield node
        if isinstance(node, ast.SelectStmt) and not into_queries:
            return
        for name in node.__slots__:
            value = getattr(node, name, None)
            if isinstance(value, (ast.Node, tuple, list)):
                yield from _descend(value, into_queries=into_queries)
