"""Signing in on pages by e-mail and password, as caller kinds declare it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, Self

OTP: Final = re.compile(r"\d{6}")


@dataclass(frozen=True, slots=True)
class PasswordAttempt:
    """What a person entered. ``network`` is the one that the request came from; ``store_id`` one of the choices."""

    email: str
    password: str
    network: str
    store_id: int | None = None


@dataclass(frozen=True, slots=True)
class SecondFactor:
    """A code of an authenticator app, or a recovery code instead.

    ``is_checked_elsewhere`` says that a provider of identities, which the operator trusts to, has checked one.
    """

    otp: str | None = None
    recovery_code: str | None = None
    is_checked_elsewhere: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return which of the two a text is: six digits are the code of an app."""
        digits = text.replace(" ", "")
        return cls(otp=digits) if OTP.fullmatch(digits) else cls(recovery_code=text.strip()[:100])


@dataclass(frozen=True, slots=True)
class VerifiedLogin:
    """A person whose password was right, or whom a provider knows. ``version`` changes with the password."""

    owner_id: int
    store_id: int | None
    subject_id: int | None
    version: str
    needs_second_factor: bool


class PasswordLogin(Protocol):
    """How people of a caller kind sign in on pages."""

    async def verify(self, attempt: PasswordAttempt) -> VerifiedLogin:
        """Check an e-mail address and a password.

        Raises ``Unauthenticated`` with the reason ``invalid_credentials``, after the same work whether or not the
        address is known; ``ValidationFailed`` on ``restaurant_id`` with ``choices`` if the password is that of several
        stores; ``NotFound`` for a suspended owner; ``RateLimited``.
        """

    async def open_session(self, login: VerifiedLogin, second_factor: SecondFactor | None, browser_name: str) -> str:
        """Create a web session and return its secret.

        Raises ``ValidationFailed`` for a wrong second factor, ``RateLimited`` after too many, and ``Unauthenticated``
        if it is missing, if the password has changed since it was verified, or if the person may not log in any more.
        """

    async def confirm(self, owner_id: int, subject_id: int | None, password: str) -> bool:
        """Return whether a person who is signed in has this password. Raises ``RateLimited``."""

    async def find_by_email(self, email: str) -> Sequence[VerifiedLogin]:
        """Return who may sign in with a password and this e-mail address, in lower case; few at most.

        Call it only for an address that somebody has proven to be theirs. Raises ``NotFound`` if the owner of all of
        them is suspended.
        """

    async def find(self, owner_id: int, subject_id: int | None) -> VerifiedLogin | None:
        """Return a person who may sign in with a password, or None. Raises ``NotFound`` for a suspended owner."""
