"""Browsers are called what people call them."""

import pytest
from comanda.web.sign_in.browser_names import get_browser_name

MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        (f"{MAC} Chrome/140.0.0.0 Safari/537.36", "Chrome on macOS"),
        (f"{MAC} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge on macOS"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
            "Safari on iPhone",
        ),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("curl/8.5.0", "Unknown browser"),
        ("", "Unknown browser"),
        ("<script>alert(1)</script>", "Unknown browser"),
    ],
)
def test_browser_has_a_name_that_people_know(user_agent, name):
    assert get_browser_name(user_agent) == name
