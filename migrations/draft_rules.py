"""The rules of this house, applied to what aerich drafts: rows have owners, and tables of earlier files have rows.

A new table of tenants is keyed by ``(id, owner_id)``, its foreign keys hold the owner and have an index, and it refers
to the rows of core that its columns name. A table of an earlier file is changed without a lock that lasts, which may
take several files.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from .repeatable_statements import END, MAX_NAME_BYTES

CREATE_TABLE: Final = re.compile(r'CREATE TABLE (?:IF NOT EXISTS )?"(?P<table>\w+)" \(\n(?P<body>.*)\n\)', re.DOTALL)
CREATE_INDEX: Final = re.compile(
    r'CREATE (?P<unique>UNIQUE )?INDEX IF NOT EXISTS "(?P<name>\w+)" ON "(?P<table>\w+)" (?P<rest>.*)', re.DOTALL
)
ADD_COLUMN: Final = re.compile(r'ALTER TABLE "(?P<table>\w+)" ADD "(?P<column>\w+)" .*')
ADD_REFERENCE: Final = re.compile(
    r'ALTER TABLE "(?P<table>\w+)" ADD CONSTRAINT "\w+" FOREIGN KEY \("(?P<column>\w+)"\)(?P<reference>.*)'
)
SET_NOT_NULL: Final = re.compile(r'ALTER TABLE "(?P<table>\w+)" ALTER COLUMN "(?P<column>\w+)" SET NOT NULL')
SET_TYPE: Final = re.compile(r'ALTER TABLE "(?P<table>\w+)" ALTER COLUMN "(?P<column>\w+)" TYPE (?P<type>.*) USING .*')
REFERENCE: Final = re.compile(r' REFERENCES "(?P<table>\w+)" \("(?P<key>\w+)"\) ON DELETE (?P<action>[A-Z ]+)')
# What follows the definition of a column as a clause of its own.
KEYS: Final = re.compile(rf" PRIMARY KEY| UNIQUE|{REFERENCE.pattern}")
COLUMN: Final = re.compile(r'"(?P<column>\w+)" .*', re.DOTALL)
COLUMNS: Final = re.compile(r'\("\w+"(?:, "\w+")*\)')
DEFAULT: Final = re.compile(r" DEFAULT .*")
NUMBERED: Final = re.compile(r"\b(?P<size>BIG|SMALL|)SERIAL NOT NULL")
# What plain ids of rows of core are called, and the tables in which these are.
CORE_TABLES: Final = {"store_id": "core_store", "order_id": "core_order", "item_id": "core_menu_item"}
OWNER_REFERENCE: Final = 'FOREIGN KEY ("owner_id") REFERENCES "core_owner" ("id") ON DELETE CASCADE'
RENAMES: Final = (
    "-- A column is dropped and one is added. If that is a rename, write ALTER TABLE … RENAME COLUMN … TO …"
)
NO_DEFAULT: Final = "-- Fails if the table has rows: give the field a db_default, or let it be null.\n"
NEW_TYPE: Final = "-- May rewrite the table while orders wait: add a column instead, and fill it in the background.\n"


@dataclass(frozen=True, slots=True)
class DraftFile:
    """The statements of a file, the name of which ends with ``suffix``."""

    suffix: str
    is_transaction: bool
    statements: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Draft:
    """What becomes of a script of aerich.

    ``tables`` are the definitions of the columns of each table of the models, as Tortoise creates them; ``types`` the
    SQL types by table and column before the change.
    """

    tables: Mapping[str, Mapping[str, str]]
    types: Mapping[tuple[str, str], str]
    change: DraftFile = field(default_factory=lambda: DraftFile("", is_transaction=True))
    concurrently: DraftFile = field(default_factory=lambda: DraftFile("_concurrently", is_transaction=False))
    not_null: DraftFile = field(default_factory=lambda: DraftFile("_not_null", is_transaction=True))

    def add(self, script: str) -> list[DraftFile]:
        """Add the statements of a script and return the files."""
        statements = split_script(script)
        new = {match["table"] for each in statements if (match := CREATE_TABLE.match(each))}
        indexes = [match for each in statements if (match := CREATE_INDEX.match(each))]
        for statement in statements:
            if match := CREATE_TABLE.match(statement):
                served = [_list_columns(index["rest"]) for index in indexes if index["table"] == match["table"]]
                self._create_table(match["table"], statement[match.end() :], match["body"], served)
            elif match := CREATE_INDEX.match(statement):
                self._create_index(match, is_new=match["table"] in new)
            elif match := ADD_COLUMN.match(statement):
                self._add_column(**match.groupdict())
            elif match := ADD_REFERENCE.match(statement):
                self._add_reference(**match.groupdict())
            elif match := SET_NOT_NULL.match(statement):
                self._forbid_null(**match.groupdict())
            elif match := SET_TYPE.match(statement):
                self._set_type(statement, **match.groupdict())
            else:
                self.change.statements.append(statement)
        if any(" DROP COLUMN " in each for each in statements) and any(map(ADD_COLUMN.match, statements)):
            self.change.statements[0] = f"{RENAMES}\n{self.change.statements[0]}"
        return [file for file in (self.change, self.concurrently, self.not_null) if file.statements]

    def _has_owner(self, table: str) -> bool:
        return "owner_id" in self.tables.get(table, ()) or table in CORE_TABLES.values()

    def _create_table(self, table: str, rest: str, body: str, served: list[list[str]]) -> None:
        columns, keys, references = [], [], {}
        for line in _split_body(body):
            column = COLUMN.match(line)
            if column is None:
                keys.append(self._add_owner(table, line))
                continue
            name, definition = column["column"], NUMBERED.sub(r"\g<size>INT GENERATED BY DEFAULT AS IDENTITY", line)
            if " PRIMARY KEY" in definition:
                keys.append(self._add_owner(table, f'PRIMARY KEY ("{name}")'))
            if " UNIQUE" in definition:
                keys.append(self._add_owner(table, f'CONSTRAINT "{_name(table, name, "key")}" UNIQUE ("{name}")'))
            if reference := self._find_reference(table, name, definition):
                references[name] = reference
            columns.append(KEYS.sub("", definition))
        if self._has_owner(table) and not references:
            references["owner_id"] = OWNER_REFERENCE
        lines = ",\n    ".join([*columns, *keys, *references.values()])
        self.change.statements.append(f'CREATE TABLE "{table}" (\n    {lines}\n){rest}')
        served += [_list_columns(key) for key in keys]
        for name, reference in references.items():
            key = _list_columns(reference)
            if not any(name in itertools.takewhile(key.__contains__, columns) for columns in served):
                self.change.statements.append(f'CREATE INDEX "{_name_index(table, name)}" ON "{table}" {_quote(key)}')

    def _create_index(self, match: re.Match[str], *, is_new: bool) -> None:
        unique, name, table = match["unique"] or "", match["name"], match["table"]
        rest = self._add_owner(table, match["rest"]) if unique else match["rest"]
        if is_new:
            self.change.statements.append(f'CREATE {unique}INDEX "{name}" ON "{table}" {rest}')
        else:
            self.concurrently.statements.append(
                f"CREATE {unique}INDEX CONCURRENTLY IF NOT EXISTS {name} ON {table} {rest}"
            )

    def _add_column(self, table: str, column: str) -> None:
        definition = self.tables[table][column]
        note = NO_DEFAULT if "NOT NULL" in definition and not DEFAULT.search(definition) else ""
        self.change.statements.append(f'{note}ALTER TABLE "{table}" ADD COLUMN {KEYS.sub("", definition)}')
        if " UNIQUE" in definition:
            key = self._add_owner(table, f'("{column}")')
            self.concurrently.statements.append(
                f"CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS {_name(table, column, 'key')} ON {table} {key}"
            )
        if column in CORE_TABLES:
            self._add_reference(table, column, definition)

    def _add_reference(self, table: str, column: str, reference: str) -> None:
        clause = self._find_reference(table, column, reference)
        if clause is None:
            return
        name, key = _name(table, column, "fkey"), _quote(_list_columns(clause))
        self.change.statements.append(f'ALTER TABLE "{table}" ADD CONSTRAINT "{name}" {clause} NOT VALID')
        self.concurrently.statements.extend(
            (
                f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {_name_index(table, column)} ON {table} {key}",
                f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}",
            )
        )

    def _forbid_null(self, table: str, column: str) -> None:
        name = _name(table, column, "not_null")
        check = f'ALTER TABLE "{table}" ADD CONSTRAINT "{name}" CHECK ("{column}" IS NOT NULL) NOT VALID'
        self.change.statements.append(check)
        self.concurrently.statements.append(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")
        self.not_null.statements.extend(
            (
                f'ALTER TABLE "{table}" ALTER COLUMN "{column}" SET NOT NULL',
                f'ALTER TABLE "{table}" DROP CONSTRAINT "{name}"',
            )
        )

    def _set_type(self, statement: str, table: str, column: str, type: str) -> None:
        if self.types.get((table, column)) != type:
            self.change.statements.append(f"{NEW_TYPE}{statement}")
            return
        # aerich writes this for another default, too.
        default = DEFAULT.search(KEYS.sub("", self.tables[table][column]))
        action = f"SET{default[0]}" if default else "DROP DEFAULT"
        self.change.statements.append(f'ALTER TABLE "{table}" ALTER COLUMN "{column}" {action}')

    def _find_reference(self, table: str, column: str, definition: str) -> str | None:
        """Return the foreign key of a column, by its definition or by its name."""
        if found := REFERENCE.search(definition):
            other, key, action = found.groups()
        elif column in CORE_TABLES and self._has_owner(table):
            is_kept = column != "store_id" and "NOT NULL" not in definition
            other, key, action = CORE_TABLES[column], "id", "SET NULL" if is_kept else "CASCADE"
        else:
            return None
        if not (self._has_owner(table) and self._has_owner(other)):
            return f'FOREIGN KEY ("{column}") REFERENCES "{other}" ("{key}") ON DELETE {action}'
        # The row keeps its owner.
        action = f'SET NULL ("{column}")' if action == "SET NULL" else action
        return f'FOREIGN KEY ("{column}", "owner_id") REFERENCES "{other}" ("{key}", "owner_id") ON DELETE {action}'

    def _add_owner(self, table: str, key: str) -> str:
        """Return a key with the owner as its last column, if the rows of the table have owners."""
        columns = _list_columns(key)
        if not columns or "owner_id" in columns or not self._has_owner(table):
            return key
        return COLUMNS.sub(_quote([*columns, "owner_id"]), key, 1)


def read_tables(schema: str) -> dict[str, dict[str, str]]:
    """Return the definition of each column of each table that a script creates."""
    return {
        match["table"]: {
            column["column"]: line for line in _split_body(match["body"]) if (column := COLUMN.match(line))
        }
        for statement in split_script(schema)
        if (match := CREATE_TABLE.match(statement))
    }


def split_script(script: str) -> list[str]:
    """Return the statements of a script, each of which ends with a semicolon at the end of a line."""
    return [part.strip() for part in END.split(script) if part.strip()]


def _split_body(body: str) -> list[str]:
    return [line.strip() for line in body.split(",\n")]


def _list_columns(clause: str) -> list[str]:
    """Return the first list of columns in a clause."""
    found = COLUMNS.search(clause)
    return re.findall(r"\w+", found[0]) if found else []


def _quote(columns: Sequence[str]) -> str:
    return "(" + ", ".join(f'"{column}"' for column in columns) + ")"


def _name(table: str, column: str, kind: str) -> str:
    """Return a name as PostgreSQL gives it to a constraint of a column."""
    return f"{table}_{column}"[: MAX_NAME_BYTES - len(kind) - 1] + f"_{kind}"


def _name_index(table: str, column: str) -> str:
    return f"{table}_by_{column.removesuffix('_id')}"[:MAX_NAME_BYTES]
