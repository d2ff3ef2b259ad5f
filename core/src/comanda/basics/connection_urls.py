"""Validation of the PostgreSQL and Redis URLs: a mistyped one is reported in one sentence, not as a traceback."""

import re
from collections.abc import Mapping
from urllib.parse import SplitResult, parse_qs, urlsplit, urlunsplit

DATABASE_FORM = "postgres://user:password@host:5432/database"
REDIS_FORM = "redis://host:6379/0"
DATABASE_SCHEMES = ("postgres", "postgresql")
REDIS_SCHEMES = ("redis", "rediss", "unix")
SSL_MODES = frozenset({"disable", "allow", "prefer", "require", "verify-ca", "verify-full"})
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
MASK = "***"


def check_database_url(url: str) -> str:
    """Return the URL without surrounding blanks. Raises ``ValueError`` with the expected form, never the password."""
    reason = _find_database_problem(url.strip())
    if reason is not None:
        raise ValueError(f"must be of the form {DATABASE_FORM}, but {reason}")
    return url.strip()


def check_redis_url(url: str) -> str:
    """Return the URL without surrounding blanks. Raises ``ValueError`` with the expected form, never the password."""
    reason = _find_redis_problem(url.strip())
    if reason is not None:
        raise ValueError(f"must be of the form {REDIS_FORM}, rediss://host:6379/0 or unix:///socket, but {reason}")
    scheme, _, place = url.strip().partition("://")
    return f"{scheme.lower()}://{place}"


def mask_password(url: str) -> str:
    """Return a URL with its password masked; of a URL that cannot be parsed only the scheme is shown."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return f"{url.partition('://')[0]}://{MASK}" if SCHEME.match(url) else MASK
    if parts.password is None and "password=" not in parts.query.lower():
        return url
    query = re.sub(r"(?i)((?:^|&)(?:password|sslpassword)=)[^&]*", rf"\1{MASK}", parts.query)
    if parts.password is not None:
        user = parts.netloc.rpartition("@")[0].partition(":")[0]
        parts = parts._replace(netloc=f"{user}:{MASK}@{parts.netloc.rpartition('@')[2]}")
    return urlunsplit(parts._replace(query=query))


def _find_database_problem(url: str) -> str | None:
    problem = _find_scheme_problem(url, DATABASE_SCHEMES)
    if problem is not None:
        return problem
    try:
        parts = urlsplit(url)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        port = query.get("port") or parts.port
    except ValueError:
        return _format_port_problem()
    if port is not None and not _is_port(str(port)):
        return _format_port_problem()
    return _find_database_place_problem(parts, query)


def _find_database_place_problem(parts: SplitResult, query: Mapping[str, str]) -> str | None:
    if not (parts.hostname or query.get("host")):
        return "it has no host; for a socket add ?host=/folder"
    if not parts.path.strip("/"):
        return "it has no database name"
    if query.get("sslmode", "prefer") not in SSL_MODES:
        return f"its sslmode is not one of {', '.join(sorted(SSL_MODES))}"
    return None


def _find_redis_problem(url: str) -> str | None:
    problem = _find_scheme_problem(url, REDIS_SCHEMES)
    if problem is not None:
        return problem
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return _format_port_problem()
    if port is not None and not _is_port(str(port)):
        return _format_port_problem()
    return _find_redis_place_problem(parts)


def _find_redis_place_problem(parts: SplitResult) -> str | None:
    number = parse_qs(parts.query).get("db", [""])[-1]
    if parts.scheme.lower() == "unix":
        if not parts.path.strip("/"):
            return "it has no socket path"
    elif not parts.hostname:
        return "it has no host"
    else:
        number = number or parts.path.strip("/")
    # redis-py treats a name as database 0, which would then hold data meant for another.
    return None if not number or (number.isascii() and number.isdigit()) else "its database is not a number"


def _find_scheme_problem(url: str, allowed: tuple[str, ...]) -> str | None:
    if re.search(r"\s", url):
        return "it contains white space"
    found = SCHEME.match(url)
    if found is None:
        return f"it does not start with {allowed[0]}://"
    scheme = found[1].lower()
    if scheme in allowed:
        return None
    base = scheme.partition("+")[0]
    if base in allowed:
        return f"it starts with {scheme}://; write {base}://"
    return f"it starts with {scheme}://"


def _format_port_problem() -> str:
    return "its port is not a number from 1 to 65535 (special characters in a password must be percent-encoded)"


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and 1 <= int(text) <= 65535
