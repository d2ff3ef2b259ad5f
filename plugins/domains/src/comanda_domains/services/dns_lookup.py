"""Looks up the TXT records by which owners prove that a domain is theirs."""

import asyncio
from typing import Final

from comanda.basics import Sentence, Unavailable
from dns.asyncresolver import Resolver
from dns.exception import DNSException
from dns.nameserver import Do53Nameserver
from dns.resolver import NXDOMAIN, NoAnswer

from comanda_domains.settings import get_settings, parse_nameserver

TIMEOUT_SECONDS: Final = 5.0
MAX_LOOKUPS: Final = 10

_lookups = asyncio.Semaphore(MAX_LOOKUPS)


async def find_texts(name: str) -> frozenset[str]:
    """Return the values of the TXT records of a name. Raises ``Unavailable`` if DNS gives no answer."""
    if _lookups.locked():
        raise Unavailable(Sentence("Too many domains are being checked. Try again shortly."))
    async with _lookups:
        try:
            answer = await _create_resolver().resolve(name, "TXT", lifetime=TIMEOUT_SECONDS, search=False)
        except (NXDOMAIN, NoAnswer):
            return frozenset()
        except (DNSException, OSError) as error:
            raise Unavailable(Sentence("The domain's name servers did not answer. Try again shortly.")) from error
    return frozenset(b"".join(record.strings).decode("ascii", "replace") for record in answer)


def _create_resolver() -> Resolver:
    given = get_settings().nameservers
    resolver = Resolver(configure=not given)
    if given:
        resolver.nameservers = [Do53Nameserver(*parse_nameserver(each)) for each in given]
    return resolver
