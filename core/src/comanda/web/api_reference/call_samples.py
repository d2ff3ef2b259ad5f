"""A call of an operation written for curl, Python and JavaScript.

The token stands in the code as a placeholder, which pages mark: a reader's own token is only ever inserted in the
browser.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

INDENT: Final = "  "
JSON_TYPE: Final = "application/json"


@dataclass(frozen=True, slots=True)
class SampleCall:
    """A call to show: everything that is sent. ``is_json`` says whether the answer is JSON."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    is_json: bool = True


def fill_path(path: str, values: Mapping[str, str]) -> str:
    """Return a path with the values of its parameters."""
    return re.sub(r"\{(\w+)\}", lambda found: quote(values[found[1]], safe=""), path)


def add_query(url: str, query: Mapping[str, Any]) -> str:
    """Return an address with a query, if there is one."""
    return f"{url}?{urlencode(query, doseq=True)}" if query else url


def write_curl(call: SampleCall) -> str:
    """Return the call as a command of a shell."""
    method = f" -X {call.method}" if call.method != "GET" else ""
    lines = [f"curl{method} {_quote_shell(call.url)}"]
    lines += [f"-H {_quote_shell(f'{name}: {value}')}" for name, value in _list_headers(call).items()]
    if call.body is not None:
        lines.append(f"-d {_quote_shell(_to_json(call.body))}")
    if not call.is_json:
        lines.append("-o answer")
    return " \\\n  ".join(lines)


def write_python(call: SampleCall) -> str:
    """Return the call as a program that uses the library requests."""
    arguments = [f'"{call.url}"']
    headers = dict(call.headers)
    if headers:
        arguments.append(f"headers={_to_python(headers, 1)}")
    if call.body is not None:
        arguments.append(f"json={_to_python(call.body, 1)}")
    listed = "".join(f"    {argument},\n" for argument in arguments)
    shown = "print(response.json())" if call.is_json else "print(response.content)"
    if call.method == "DELETE":
        shown = "print(response.status_code)"
    method = call.method.lower()
    return f"import requests\n\nresponse = requests.{method}(\n{listed})\nresponse.raise_for_status()\n{shown}"


def write_javascript(call: SampleCall) -> str:
    """Return the call as a module for browsers and Node."""
    options: list[str] = [f'method: "{call.method}"'] if call.method != "GET" else []
    headers = _list_headers(call)
    if headers:
        options.append(f"headers: {_indent(_to_json(headers))}")
    if call.body is not None:
        options.append(f"body: JSON.stringify({_indent(_to_json(call.body))})")
    listed = "".join(f"{INDENT}{option},\n" for option in options)
    arguments = f'"{call.url}", {{\n{listed}}}' if options else f'"{call.url}"'
    shown = "await response.json()" if call.is_json else "await response.blob()"
    if call.method == "DELETE":
        shown = "response.status"
    return (
        f"const response = await fetch({arguments});\n"
        "if (!response.ok) throw new Error(await response.text());\n"
        f"console.log({shown});"
    )


# The languages of examples, with what people call them.
LANGUAGES: Final[Mapping[str, tuple[str, Callable[[SampleCall], str]]]] = {
    "curl": ("curl", write_curl),
    "python": ("Python", write_python),
    "javascript": ("JavaScript", write_javascript),
}


def _list_headers(call: SampleCall) -> dict[str, str]:
    return {**call.headers, **({"Content-Type": JSON_TYPE} if call.body is not None else {})}


def _quote_shell(text: str) -> str:
    """Return a text as one word of a shell, always in quotes if a reader may put something else in its place."""
    return f'"{text}"' if not re.search(r'["$`\\!\n]', text) else shlex.quote(text)


def _to_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _indent(text: str) -> str:
    return text.replace("\n", f"\n{INDENT}")


def _to_python(value: Any, depth: int) -> str:
    """Return a JSON value as a literal of Python, indented by four spaces."""
    if not isinstance(value, dict | list) or not value:
        return _to_literal(value)
    before, after = "    " * (depth + 1), "    " * depth
    if isinstance(value, dict):
        lines = [f"{_to_literal(name)}: {_to_python(each, depth + 1)}" for name, each in value.items()]
    else:
        lines = [_to_python(each, depth + 1) for each in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + "\n" + "".join(f"{before}{line},\n" for line in lines) + after + closing


def _to_literal(value: Any) -> str:
    # A JSON string is a literal of Python too, and is in double quotes as the rest of the program.
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
