"""Stands in for curl on a machine without it: -sS, -X, -H, -d and an address."""

import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

method, address, headers, body = None, "", {}, None
words = iter(sys.argv[1:])
for word in words:
    if word == "-X":
        method = next(words)
    elif word == "-H":
        name, _, value = next(words).partition(":")
        headers[name] = value.strip()
    elif word == "-d":
        body = next(words).encode()
    elif word == "-sS":
        pass
    elif word.startswith("-"):
        sys.exit(f"curl: this stand-in does not know {word}")
    else:
        address = word
try:
    with urlopen(Request(address, data=body, headers=headers, method=method)) as answer:
        sys.stdout.write(answer.read().decode())
except HTTPError as error:
    sys.stdout.write(error.read().decode())
