"""Masking of secrets in whatever is logged: one function, used by every log of a process."""

import re
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

# In these, whoever holds the address may see what is there.
SECRET_PATHS: Final = ("/track/", "/t/", "/pay/")

PARAMETER: Final = re.compile(r"(?P<before>[?&;\s\"'(,]|^)(?P<name>[^\s=&?;\"'(),]{1,100})=(?P<value>[^&\s\"'#]+)")
JSON_FIELD: Final = re.compile(
    r"(?P<name>[\"'][\w-]{1,100}[\"']\s*:\s*)(?P<quote>[\"'])(?P<value>(?:\\.|(?!(?P=quote)).)+)"
)
ANYWHERE: Final = re.compile(
    rf"((?:{'|'.join(SECRET_PATHS)}))[^\s/?\"'#]+"
    r"|\b((?:own|sf|drv|cus|stf|app|rt)_|whsec_|Bearer\s+|Authorization: Basic\s+)[A-Za-z0-9+/=_.~-]{8,}"
    r"|(://[^\s/:@]*:)[^\s/@]+(?=@)"
)


def is_secret_name(name: str, endings: tuple[str, ...] = SECRET_ENDINGS) -> bool:
    """Return whether a parameter or field of that name holds a secret."""
    return re.sub(r"[^a-z0-9]", "", unquote_plus(name).lower()).endswith(endings)


def redacted(text: str) -> str:
    """Return text in which secrets are masked: tokens, signing secrets, secret parameters, passwords in addresses."""
    # Most of what is logged has none of these, and finding that out is cheaper than a search with the expressions.
    if "=" in text:
        text = PARAMETER.sub(_masked_parameter, text)
    if ":" in text and ('"' in text or "'" in text):
        text = JSON_FIELD.sub(_masked_field, text)
    if "_" in text or "Bearer" in text or "/t" in text or "/pay/" in text or "://" in text or "Basic" in text:
        text = ANYWHERE.sub(rf"\1\2\3{MASK}", text)
    return text


def redacted_value(value: object, name: str = "") -> object:
    """Return a value of a structured log in which secrets are masked at any depth; ``name`` is its key."""
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, str):
        return MASK if value and is_secret_name(name, SECRET_VALUE_ENDINGS) else redacted(value)
    if isinstance(value, dict):
        return {key: redacted_value(inner, str(key)) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [redacted_value(inner, name) for inner in value]
    return value


def _masked_parameter(found: re.Match[str]) -> str:
    if not is_secret_name(found["name"]):
        return found[0]
    return f"{found['before']}{found['name']}={MASK}"


def _masked_field(found: re.Match[str]) -> str:
    if not is_secret_name(found["name"].partition(":")[0], SECRET_VALUE_ENDINGS):
        return found[0]
    return f"{found['name']}{found['quote']}{MASK}"
