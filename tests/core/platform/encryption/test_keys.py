"""Encryption keys: the key file and the setting."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from comanda.basics.startup_errors import InvalidSettings, StartupError
from comanda.contracts.data.model_sets import EncryptedColumn
from comanda.platform.encryption.keys import add_key_to_file, find_keys, generate_key, get_key_file, load_keys
from comanda.platform.encryption.values import decrypt_with, encrypt_with
from comanda.platform.settings import Settings, read_settings

SECRET = EncryptedColumn("shop_till", "secret")


@pytest.fixture
def own_settings(tmp_path, monkeypatch):
    monkeypatch.delenv("COMANDA_SECRET_KEYS", raising=False)
    return read_settings(Settings, data=tmp_path / "data")


def test_the_key_file_is_its_owners_alone_and_made_once(own_settings):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: add_key_to_file(get_key_file(own_settings), only_if_empty=True), range(20)))

    assert len(find_keys(own_settings).keys) == 1
    assert stat.S_IMODE(get_key_file(own_settings).stat().st_mode) == 0o600


def test_no_key_is_lost_when_several_are_added_at_once(own_settings):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: add_key_to_file(get_key_file(own_settings)), range(20)))

    assert len(find_keys(own_settings).keys) == 20


def test_running_process_reads_new_and_old_keys(own_settings):
    add_key_to_file(get_key_file(own_settings))
    before = encrypt_with(load_keys(own_settings), "x", SECRET, (1, 2))
    add_key_to_file(get_key_file(own_settings))

    keys = load_keys(own_settings)

    after = encrypt_with(keys, "x", SECRET, (1, 2))
    assert before.split(".")[1] != after.split(".")[1]
    assert decrypt_with(keys, before, SECRET, (1, 2)) == decrypt_with(keys, after, SECRET, (1, 2)) == "x"


def test_running_process_survives_missing_key_file(own_settings):
    add_key_to_file(get_key_file(own_settings))
    keys = load_keys(own_settings)
    get_key_file(own_settings).unlink()

    assert load_keys(own_settings) is keys
    assert not get_key_file(own_settings).exists()


def test_keys_of_the_setting_come_before_those_of_the_file(own_settings):
    add_key_to_file(get_key_file(own_settings))
    in_file = find_keys(own_settings).current.id
    given = read_settings(Settings, data=own_settings.data, secret_keys=f"{generate_key()}, {generate_key()}")

    ids = find_keys(given).ids

    assert len(ids) == 3
    assert ids[-1] == in_file


@pytest.mark.parametrize("given", ["short", "x" * 44, "YWJj", "not base64 at all!"])
def test_invalid_key_stops_startup_and_is_not_shown(monkeypatch, given):
    monkeypatch.setenv("COMANDA_SECRET_KEYS", f"{generate_key()},{given}")

    with pytest.raises(InvalidSettings, match="32 bytes in base64") as caught:
        read_settings(Settings)
    assert given not in str(caught.value)


def test_settings_do_not_show_keys(monkeypatch):
    key = generate_key()
    monkeypatch.setenv("COMANDA_SECRET_KEYS", key)

    own_settings = read_settings(Settings)

    assert own_settings.secret_keys[0].get_secret_value() == key
    assert key not in f"{own_settings!r} {own_settings} {own_settings.model_dump_json()}"


def test_damaged_key_file_is_reported(own_settings):
    add_key_to_file(get_key_file(own_settings))
    with get_key_file(own_settings).open("a") as file:
        file.write("half a ke")

    with pytest.raises(StartupError, match="is damaged"):
        find_keys(own_settings)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_unwritable_folder_is_reported(own_settings):
    own_settings.data.mkdir()
    own_settings.data.chmod(0o500)

    with pytest.raises(StartupError, match="Set COMANDA_SECRET_KEYS"):
        add_key_to_file(get_key_file(own_settings))


def test_without_any_key_nothing_is_encrypted(own_settings):
    with pytest.raises(StartupError, match="no encryption key"):
        load_keys(own_settings)
