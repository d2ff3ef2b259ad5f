"""Records of web push."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PushKey:
    """The public key with which a browser subscribes (``applicationServerKey``)."""

    public_key: str
