"""Values are bound to their row, and keys can be exchanged."""

import string

import pytest
from comanda.contracts.data.model_sets import EncryptedColumn
from comanda.platform import encryption
from comanda.platform.encryption import DecryptionFailed

SECRET = EncryptedColumn("shop_till", "secret")


OTHER = EncryptedColumn("shop_till", "old_secret")


ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"


def test_encrypted_value_is_bound_to_its_row(app):
    stored = encryption.encrypt("whsec_ä", SECRET, 1, 23)

    assert stored.startswith("enc1.")
    assert "whsec" not in stored
    assert encryption.decrypt(stored, SECRET, 1, 23) == "whsec_ä"
    assert stored != encryption.encrypt("whsec_ä", SECRET, 1, 23)
    for column, row in ((SECRET, (1, 24)), (SECRET, (2, 23)), (SECRET, (12, 3)), (OTHER, (1, 23))):
        with pytest.raises(DecryptionFailed, match="belongs to another row"):
            encryption.decrypt(stored, column, *row)


@pytest.mark.parametrize("stored", ["", "whsec_plain", "enc1.", "enc1.abc", "enc1.abc.def", "enc1..", "enc1.é.é"])
def test_plain_value_is_not_decrypted(app, stored):
    with pytest.raises(DecryptionFailed) as caught:
        encryption.decrypt(stored, SECRET, 1, 2)
    assert "whsec_plain" not in str(caught.value)


def test_every_changed_character_is_noticed(app):
    stored = encryption.encrypt("secret", SECRET, 1, 2)

    for position in range(len("enc1."), len(stored) - 1):
        # Another first bit of the letter: the last bits of a base64 text may stand for nothing.
        letter = ALPHABET[(ALPHABET.find(stored[position]) + 32) % 64]
        changed = stored[:position] + letter + stored[position + 1 :]
        with pytest.raises(DecryptionFailed):
            encryption.decrypt(changed, SECRET, 1, 2)
