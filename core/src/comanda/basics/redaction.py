"""Masking of secrets in whatever is logged: one function, used by every log of a process."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote_plus

MASK: Final = "…"

# A name ends with one of these, whatever stands before it: api_token, client_secret, X-Amz-Signature, accessToken. What
# people search for, and what they are reached by, are other people's data.
SECRET_ENDINGS: Final = (
    *("token", "secret", "signature", "sig", "password", "passphrase", "otp", "pin", "code", "key", "nonce"),
    *("credential", "authorization", "jwt", "session", "search", "phone", "email"),
)
# Names of values in structured logs, where code and key are words like any other.
SECRET_VALUE_ENDINGS: Final = ("token", "secret", "signature", "password", "otp", "pin", "authorization", "cookie")

PARAMETER: Final = re.compile(r"(?P<before>[?&;\s\"'(,]|^)(?P<name>[^\s=&?;\"'(),]{1,100})=(?P<value>[^&\s\"'#]+)")
JSON_FIELD: Final = re.compile(
    r"(?P<name>[\"'][\w-]{1,100}[\"']\s*:\s*)(?P<quote>[\"'])(?P<value>(?:\\.|(?!(?P=quote)).)+)"
)
# What a token looks like whose kind is not known here: a prefix and at least 24 letters and digits.
UNKNOWN_KIND: Final = r"(?:\b(?:[a-z0-9]{2,12}_)(?=[A-Za-z0-9+/=]{24}))"
# No token consists of small letters alone, and names of events and purposes do: app_installed.
NO_WORDS: Final = r"(?=[a-z_.]*[A-Z0-9+/=~-])"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What is masked wherever it stands, and the signs without one of which there is nothing to mask."""

    expression: re.Pattern[str]
    signs: tuple[str, ...]


def _compile(prefixes: Iterable[str], paths: Iterable[str]) -> _Pattern:
    kinds = "|".join(re.escape(prefix) for prefix in sorted(prefixes)) or "(?!)"
    places = "|".join(re.escape(path) for path in sorted(paths, key=len, reverse=True)) or "(?!)"
    expression = re.compile(
        rf"((?:{places}))[^\s/?\"'#]+"
        rf"|(\b(?:{kinds}){NO_WORDS}|{UNKNOWN_KIND}|\bBearer\s+|\bAuthorization: Basic\s+)[A-Za-z0-9+/=_.~-]{{8,}}"
        r"|(://[^\s/:@]*:)[^\s/@]+(?=@)"
    )
    return _Pattern(expression, ("_", "Bearer", "://", "Basic", *paths))


class _Masks:
    """What this process masks, besides what is named like a secret."""

    pattern = _compile((), ())


_masks = _Masks()


def configure_redaction(prefixes: Iterable[str], paths: Iterable[str]) -> None:
    """Mask tokens with these prefixes, and what follows these paths, from now on.

    They come from the registry: the prefixes of caller kinds, and the paths that pages and routes declare as secret.
    """
    _masks.pattern = _compile(tuple(prefixes), tuple(paths))


def is_secret_name(name: str, endings: tuple[str, ...] = SECRET_ENDINGS) -> bool:
    """Return whether a parameter or field of that name holds a secret."""
    return re.sub(r"[^a-z0-9]", "", unquote_plus(name).lower()).endswith(endings)


def redact(text: str) -> str:
    """Return text in which secrets are masked: tokens, signing secrets, secret parameters, passwords in addresses."""
    # Most of what is logged has none of these, and finding that out is cheaper than a search with the expressions.
    if "=" in text:
        text = PARAMETER.sub(_masked_parameter, text)
    if ":" in text and ('"' in text or "'" in text):
        text = JSON_FIELD.sub(_masked_field, text)
    for sign in _masks.pattern.signs:
        if sign in text:
            return _masks.pattern.expression.sub(rf"\1\2\3{MASK}", text)
    return text


def redact_value(value: object, name: str = "") -> object:
    """Return a value of a structured log in which secrets are masked at any depth; ``name`` is its key."""
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, str):
        return MASK if value and is_secret_name(name, SECRET_VALUE_ENDINGS) else redact(value)
    if isinstance(value, dict):
        return {key: redact_value(inner, str(key)) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [redact_value(inner, name) for inner in value]
    return value


def _masked_parameter(found: re.Match[str]) -> str:
    if not is_secret_name(found["name"]):
        return found[0]
    return f"{found['before']}{found['name']}={MASK}"


def _masked_field(found: re.Match[str]) -> str:
    if not is_secret_name(found["name"].partition(":")[0], SECRET_VALUE_ENDINGS):
        return found[0]
    return f"{found['name']}{found['quote']}{MASK}"
