"""Callers and the kinds of access tokens that identify them."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from comanda.basics.errors import ComandaError, NotFound
from comanda.contracts import scopes
from comanda.contracts.web.sign_in import PasswordLogin


@dataclass(frozen=True, slots=True)
class CallerKind:
    """A kind of token: its readable ``prefix``, the header that carries it, and how long it lives.

    ``lifetime`` None never expires; with ``is_sliding`` each use extends it. With ``is_public`` the public holds it, to
    whom a suspended owner's store looks as if it were not there. ``acts_as`` names a kind whose routes it
    may also call with the scopes it carries, as an app's token does on owner routes.

    With ``is_customer`` the subject is a customer of the store, to whom the orders belong that such a caller places.

    Every token of the kind has its ``implied_scopes``, beside those that were granted to it.

    ``check(caller, path)`` is awaited for each call with a valid token and raises what refuses it, such as
    ``Forbidden`` for a suspended app. ``resource_metadata`` is the path at which protected resources are described (RFC
    9728) to programs that want such a token; the path of the resource follows it.

    Writes of callers whose kind ``is_audited`` leave entries in the owner's audit log. ``names(owner_id, subject_ids)``
    returns what the people behind such tokens are called, for as long as they are known.

    With a ``password_login`` such people sign in on pages. ``owner_scopes(scopes)`` returns what their scopes allow on
    the owner's routes of stores; with it they use the dashboard, in the one store that they belong to.

    ``translate_error(error, headers)`` puts the sentences of an error to such callers into the language that their
    request asks for, as scripts of pages show them.
    """

    code: str
    prefix: str
    header: str = "authorization"
    lifetime: timedelta | None = None
    is_sliding: bool = False
    is_public: bool = False
    is_customer: bool = False
    acts_as: str | None = None
    implied_scopes: tuple[str, ...] = ()
    check: Callable[["Caller", str], Awaitable[None]] | None = None
    resource_metadata: str | None = None
    is_audited: bool = True
    names: Callable[[int, Sequence[int]], Awaitable[Mapping[int, str]]] | None = None
    password_login: PasswordLogin | None = None
    owner_scopes: Callable[[Collection[str]], Collection[str]] | None = None
    translate_error: Callable[[ComandaError, Mapping[str, str]], None] | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """The holder of a valid token. ``subject_id`` is the customer, driver or staff member behind it, if any.

    ``acts_as`` is the caller kind on whose behalf the holder acts, as an app does on an owner's.
    ``owner_version`` changes with each change of the owner's row, so what is kept in memory with the same version is
    current; None if it is not known.
    """

    kind: str
    token_id: int
    owner_id: int
    store_id: int | None
    subject_id: int | None
    scopes: frozenset[str]
    expires_at: datetime | None
    acts_as: str | None = None
    owner_version: int | None = field(default=None, compare=False)

    @property
    def has_token(self) -> bool:
        """Whether the caller is a program with a token; a person with a web session is not."""
        return self.token_id != 0

    def may(self, scope: str) -> bool:
        """Return whether the token's scopes include ``scope``."""
        return scopes.is_granted(self.scopes, scope)

    def acts_for(self, kind: str) -> bool:
        """Return whether the caller is of this kind, or acts on behalf of one of it."""
        return kind in (self.kind, self.acts_as)

    def reaches(self, store_id: int) -> bool:
        """Return whether the token is valid for this store: for it alone, or for all of its owner."""
        return self.store_id is None or self.store_id == store_id

    @property
    def limit_bucket(self) -> str:
        """The bucket in which rate limits count the caller's calls: an app's tokens share one."""
        return f"token:{self.token_id}" if self.acts_as is None else f"{self.kind}:{self.owner_id}:{self.subject_id}"

    @property
    def known_store_id(self) -> int:
        """Return the token's store. Raises ``NotFound`` for a token of all of its owner's stores."""
        if self.store_id is None:
            raise NotFound
        return self.store_id

    @property
    def known_subject_id(self) -> int:
        """Return the person behind the token. Raises ``NotFound`` if there is none."""
        if self.subject_id is None:
            raise NotFound
        return self.subject_id

    @property
    def actor(self) -> str:
        """The caller's name in histories, such as ``owner:12``."""
        return f"{self.kind}:{self.subject_id or self.owner_id}"
