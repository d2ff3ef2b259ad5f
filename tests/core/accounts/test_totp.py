"""Codes of authenticator apps, and recovery codes."""

import pyotp
from comanda.accounts import totp


def test_neighbouring_steps_are_accepted_and_used_ones_refused(clock):
    secret = totp.create_secret()
    now = int(clock().timestamp()) // 30

    codes = {step: pyotp.TOTP(secret).generate_otp(step) for step in range(now - 2, now + 3)}

    assert [totp.find_step(secret, codes[step], 0) for step in codes] == [None, now - 1, now, now + 1, None]
    assert totp.find_step(secret, codes[now], now) is None
    assert totp.find_step(secret, codes[now + 1], now) == now + 1
    assert totp.find_step(secret, "\ud800", 0) is None


def test_recovery_codes_are_read_however_they_are_written():
    codes = totp.create_recovery_codes()

    assert len(set(codes)) == 10
    written = totp.format_recovery_code(codes[0])
    assert len(written) == 11
    assert totp.normalize_recovery_code(f" {written.upper()} ") == codes[0]


def test_uri_names_the_account_and_becomes_a_qr_code():
    uri = totp.get_uri("ABCDEFGHABCDEFGHABCDEFGHABCDEFGH", "ana@example.com")

    assert uri == "otpauth://totp/Comanda:ana%40example.com?secret=ABCDEFGHABCDEFGHABCDEFGHABCDEFGH&issuer=Comanda"
    assert totp.render_qr_code(uri).startswith("<svg")
