from . import hmac_digest as hmac_digest
from . import signed_links as signed_links
from .signed_links import find_link_owner as find_link_owner
from .signed_links import require_link_owner as require_link_owner
from .signed_links import sign_link as sign_link
from .values import DecryptionFailed as DecryptionFailed
from .values import decrypt as decrypt
from .values import encrypt as encrypt
