"""Which URLs and addresses deliveries may be sent to."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from comanda.platform.http_client.target_urls import (
    FORBIDDEN_PORTS,
    Address,
    AllowedTargets,
    ForbiddenTarget,
    check_url,
    is_public,
)
from hypothesis import example, given
from hypothesis import strategies as st

LOOPBACK = AllowedTargets.parse(["127.0.0.0/8", "::1/128"])


DEVELOPMENT = AllowedTargets.parse(["127.0.0.0/8", "::1/128"], with_any_name=False)


v4 = st.integers(0, 2**32 - 1).map(IPv4Address)


v6 = st.integers(0, 2**128 - 1).map(IPv6Address)


@pytest.mark.parametrize(
    "text",
    [
        *("0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255"),
        *("127.0.0.1", "127.255.255.254", "168.63.129.16", "169.254.0.1", "169.254.169.254", "169.254.170.2"),
        *("172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.1.1"),
        *("198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.9", "224.0.0.1", "239.255.255.255"),
        *("240.0.0.1", "255.255.255.255"),
        *("::", "::1", "::127.0.0.1", "::8.8.8.8", "fe80::1", "fec0::1", "fc00::1", "fd00:ec2::254", "fd20:ce::254"),
        *("ff02::1", "ff0e::1", "100::1", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1"),
        *("3ffe::1", "3fff::1", "5f00::1", "4000::1", "64:ff9b:1::8.8.8.8", "8000::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0:8.8.8.8"),
        *("2002:7f00:1::1", "2002:a9fe:a9fe::", "2002:c0a8:101::1", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe"),
        "2001:0:7f00:1::",  # Teredo through a server on loopback
        "2001:0:808:808:0:0:80ff:fffe",  # Teredo through a public server to a client at 127.0.0.1
    ],
)
def test_non_public_addresses_are_detected(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize(
    "text",
    [
        *("1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"),
        *("128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.169.0.0", "198.17.255.255"),
        *("198.20.0.0", "223.255.255.255", "168.63.129.17"),
        *("2606:4700::1111", "2a00:1450:4001::1", "2001:4860:4860::8888", "2001:200::1"),
        *("::ffff:8.8.8.8", "2002:808:808::1", "64:ff9b::8.8.8.8"),
        "2001:0:808:808:0:0:f7f7:f7f7",  # Teredo, server and client 8.8.8.8
    ],
)
def test_public_addresses_are_accepted(text: str) -> None:
    assert is_public(ip_address(text))


@given(v4 | v6)
def test_public_addresses_are_global_to_python_too(address: Address) -> None:
    if isinstance(address, IPv6Address) and (address.ipv4_mapped or address.sixtofour or address.teredo):
        return
    special = address.is_private or address.is_loopback or address.is_link_local or address.is_multicast
    assert not (is_public(address) and (special or address.is_reserved or address.is_unspecified))


@given(v4)
@example(IPv4Address("127.0.0.1"))
@example(IPv4Address("8.8.8.8"))
def test_embedded_ipv4_address_is_checked_itself(address: Address) -> None:
    number = int(address)
    carriers = [
        IPv6Address(0xFFFF << 32 | number),
        IPv6Address(0x2002 << 112 | number << 80),
        IPv6Address(0x64FF9B << 96 | number),
        IPv6Address(0x20010000 << 96 | 0x08080808 << 64 | (number ^ 0xFFFF_FFFF)),
        IPv6Address(0x20010000 << 96 | number << 64 | (0x08080808 ^ 0xFFFF_FFFF)),
    ]
    assert {is_public(carrier) for carrier in carriers} == {is_public(address)}


@pytest.mark.parametrize(
    ("url", "connected_to"),
    [
        ("https://hooks.example.com/in?a=1", "https://hooks.example.com/in?a=1"),
        ("HTTPS://Hooks.Example.COM./in", "https://hooks.example.com/in"),
        ("https://hooks.example.com:8443/in#part", "https://hooks.example.com:8443/in"),
        ("https://hooks.example.com:443", "https://hooks.example.com"),
        ("https://bücher.example.com/ü", "https://xn--bcher-kva.example.com/%C3%BC"),
        ("https://my_team.example.com/", "https://my_team.example.com/"),
        ("https://8.8.8.8/in", "https://8.8.8.8/in"),
        ("https://[2606:4700::1111]:9443/in", "https://[2606:4700::1111]:9443/in"),
        ("https://localhost.example.com/", "https://localhost.example.com/"),
        ("https://hooks.example.com/a@b?next=http://x/", "https://hooks.example.com/a@b?next=http://x/"),
        ("https://hooks.example.com/?sig=a%2Bb%3D", "https://hooks.example.com/?sig=a%2Bb%3D"),
    ],
)
def test_public_https_urls_are_returned_normalised(url: str, connected_to: str) -> None:
    target = check_url(url)

    assert str(target.url) == connected_to
    assert not target.only_allowed


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://hooks.example.com/", "must begin with https://"),
        *((url, "begins with https://") for url in ("ftp://a.example.com", "hooks.example.com", "//a.example.com")),
        *(
            (url, "begins with https://")
            for url in ("", "https://", "https:///in", "https:a.example.com", "https://./")
        ),
        *((f"https://[{host}]/", "with a zone") for host in ("fe80::1%25eth0", "2606:4700::1111%25eth0", "::1%251")),
        *((url, "user name") for url in ("https://me:pw@a.example.com/", "https://a.example.com@127.0.0.1/")),
        *((url, "user name") for url in ("https://@a.example.com/", "https://:@a.example.com/")),
        *(
            (f"https://a.example.com{bad}/", "a space, a backslash")
            for bad in (" ", "\t", "\r\n", "\0", "\u00a0", "\x85")
        ),
        *((url, "a space, a backslash") for url in ("https://8.8.8.8\\@127.0.0.1/", " https://a.example.com/")),
        ("https://a.example.com: 443/", "a space, a backslash"),
        *((f"https://{host}/", "four decimal numbers") for host in ("2130706433", "127.1", "127.0.1", "0x7f000001")),
        *((f"https://{host}/", "four decimal numbers") for host in ("0177.0.0.1", "017700000001", "127.0.0.01")),
        *((f"https://{host}/", "four decimal numbers") for host in ("0x7f.0.0.0x1", "127.0.0.1.1", "256.256.256.256")),
        *((f"https://{host}/", "not a public address") for host in ("127.0.0.1", "127.0.0.1.", "169.254.169.254")),
        *((f"https://{host}/", "not a public address") for host in ("127.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1")),
        *((f"https://[{host}]/", "not a public address") for host in ("::1", "::ffff:127.0.0.1", "::127.0.0.1")),
        *((f"https://[{host}]/", "not a public address") for host in ("2002:7f00:1::", "64:ff9b::7f00:1")),
        *((f"https://{host}/", "local network") for host in ("a.local", "metadata.google.internal", "x.localhost")),
        *((f"https://{host}/", "local network") for host in ("a.home.arpa", "nas.lan", "A.LOCAL.", "a.LOCAL")),
        *((f"https://{host}/", "full domain name") for host in ("localhost", "localhost.", "db", "LOCALHOST")),
        *(
            (f"https://{host}/", "valid domain name")
            for host in ("a..example.com", "-a.example.com", "a%2e.example.com")
        ),
        *(
            (f"https://{host}/", "valid domain name")
            for host in ("a" * 64 + ".example.com", "a." * 130 + "example.com")
        ),
        ("https://a.example.com..", "valid domain name"),
        *((f"https://{host}/", "not a valid URL") for host in ("[::1", "a.example.com:99999", "a\u00adb.example.com")),
        ("https://a.example.com:0/", "Port 0"),
        *((f"https://a.example.com:{port}/", "not open to requests") for port in (1, 22, 25, 80, 442, 444, 1023)),
        *((f"https://a.example.com:{port}/", "not open to requests") for port in (5432, 6379, 9200, 11211, 2375, 3306)),
        ("https://a.example.com/" + "a" * 2048, "longer than"),
    ],
)
def test_other_urls_are_refused_with_reason(url: str, reason: str) -> None:
    with pytest.raises(ForbiddenTarget, match=reason):
        check_url(url)


@given(st.integers(1, 65535))
def test_port_must_be_443_or_unprivileged(port: int) -> None:
    accepted = True
    try:
        check_url(f"https://a.example.com:{port}/")
    except ForbiddenTarget:
        accepted = False
    assert accepted == (port == 443 or (port >= 1024 and port not in FORBIDDEN_PORTS))


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
@example("@127.0.0.1")
@example("a.example.com\\@127.0.0.1")
def test_any_text_is_accepted_or_refused(text: str) -> None:
    """An accepted text is an HTTPS URL that is the same when it is parsed again."""
    try:
        target = check_url("https://" + text)
    except ForbiddenTarget:
        return
    assert target.url.scheme == "https"
    assert target.address is None or is_public(target.address)
    assert check_url(str(target.url)).url.raw_host == target.host


@pytest.mark.parametrize("spelling", ["{0}", "{0:#x}", "{0:#o}", "0{0:o}", "{1}.{2}", "{1:#x}.{2}", "0{1:o}.{2}"])
@given(address=v4)
def test_other_spellings_of_ipv4_are_refused(spelling: str, address: Address) -> None:
    number = int(address)
    with pytest.raises(ForbiddenTarget):
        check_url("https://" + spelling.format(number, number >> 24, number & 0xFF_FFFF) + "/")


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1:8123/in", "https://127.0.0.1/", "http://127.0.0.1:25/", "http://[::1]:9000/"),
        *("http://[::ffff:127.0.0.1]:9000/", "http://localhost:9000/", "http://hooks.example.com/", "https://a.local/"),
    ],
)
def test_allow_list_accepts_its_networks_and_any_name(url: str) -> None:
    assert check_url(url, allowed=LOOPBACK).only_allowed
    with pytest.raises(ForbiddenTarget):
        check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        *("http://10.0.0.1/", "https://10.0.0.1/", "http://8.8.8.8/", "https://[fe80::1]/", "https://8.8.8.8:22/"),
        *("http://127.1/", "ftp://127.0.0.1/", "http://me@127.0.0.1/", "http://2130706433/", "http://127.0.0.1:0/"),
    ],
)
def test_allow_list_opens_nothing_else(url: str) -> None:
    with pytest.raises(ForbiddenTarget):
        check_url(url, allowed=LOOPBACK)


@pytest.mark.parametrize("url", ["http://localhost:9000/in", "http://app.localhost/", "http://127.0.0.1:8123/"])
def test_development_accepts_loopback_names(url: str) -> None:
    assert check_url(url, allowed=DEVELOPMENT).only_allowed


@pytest.mark.parametrize(
    "url",
    [
        *("http://hooks.example.com/", "http://a.local/", "https://a.local/", "https://db/", "http://notlocalhost/"),
        *(
            "http://10.0.0.1/",
            "http://192.168.1.7:9000/",
            "https://hooks.example.com:22/",
            "http://localhost.evil.com/",
        ),
    ],
)
def test_development_accepts_no_other_name(url: str) -> None:
    with pytest.raises(ForbiddenTarget):
        check_url(url, allowed=DEVELOPMENT)


def test_ordinary_url_needs_no_allowed_network() -> None:
    assert not check_url("https://hooks.example.com/", allowed=LOOPBACK).only_allowed


def test_allow_list_is_parsed_from_cidr() -> None:
    assert LOOPBACK.covers(ip_address("127.9.9.9"))
    assert LOOPBACK.covers(ip_address("::1"))
    assert LOOPBACK.covers(ip_address("::ffff:127.0.0.1"))
    assert not LOOPBACK.covers(ip_address("10.0.0.1"))
    assert not AllowedTargets().covers(ip_address("127.0.0.1"))
    with pytest.raises(ValueError, match="does not appear"):
        AllowedTargets.parse(["everything"])
