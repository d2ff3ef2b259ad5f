"""What is a host name, and which no store can have."""

import pytest
from comanda_domains.services.host_names import is_operators_own, to_host_name
from comanda_domains.settings import DomainsSettings
from pydantic import ValidationError


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pizzeria-roma.de", "pizzeria-roma.de"),
        (" Pizzeria-ROMA.de. ", "pizzeria-roma.de"),
        ("größe.de", "xn--gre-6ka8i.de"),
        ("GRÖSSE.de", "xn--grsse-kua.de"),
        ("xn--gre-6ka8i.de", "xn--gre-6ka8i.de"),
        ("مطعم.example", "xn--2gbe8ac.example"),
        ("例え。example", "xn--r8jz45g.example"),
        ("a.b.c.example", "a.b.c.example"),
        ("3.example", "3.example"),
    ],
)
def test_name_is_spelled_as_browsers_send_it(text, name):
    assert to_host_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "", ".", "roma", "localhost", "shop.localhost", "roma.local", "db.internal", "x.home.arpa", "x.onion",
        "127.0.0.1", "1.2.3", "0x7f.1", "2130706433", "[::1]", "::1", "\uff11.\uff12.\uff13.\uff14", "1.2.3.4.", "a.1",
        "a.test:80", "http://a.test", "a.test/x", "user@a.test", "*.a.test", "_dmarc.a.test", "a..test", "-a.test",
        "a-.test", "a.test\nb", "a.test\0", "a b.test", "a%2etest", "xn--.example", "xn--zzzzzzzzzzzz99999.example",
        "\u200da.example", "a" * 64 + ".test", "a." * 120 + "test", "a.t",
    ],
)  # fmt: skip
def test_text_that_is_no_public_name_is_refused(text):
    assert to_host_name(text) is None


@pytest.mark.parametrize(
    ("name", "is_own"),
    [
        ("comanda.test", True),
        ("shops.example", True),
        ("www.shops.example", True),
        ("a.roma.shops.example", True),
        ("roma.shops.example", False),
        ("shops.example.org", False),
        ("romashops.example", False),
    ],
)
def test_names_of_the_operator(settings, name, is_own):
    assert is_operators_own(name, "shops.example", settings) is is_own


@pytest.mark.parametrize(
    "values", [{"base_domain": "localhost"}, {"nameservers": "dns.example"}, {"nameservers": "1.1.1.1:x"}]
)
def test_setting_that_cannot_be_is_refused(values):
    with pytest.raises(ValidationError):
        DomainsSettings(**values)
