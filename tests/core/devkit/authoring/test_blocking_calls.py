"""Calls that wait are found where the whole process would wait with them."""

import pytest

RULE = "blocking-call"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("client.py", "import time\n\n\nasync def f():\n    time.sleep(1)\n", 5),
        ("client.py", "from time import sleep as nap\n\n\nclass C:\n    async def f(self):\n        nap(1)\n", 6),
        ("client.py", "import requests as http\n\n\nasync def f():\n    return http.get('x').json()\n", 5),
        ("client.py", "import urllib.request\n\n\nasync def f():\n    return urllib.request.urlopen('x')\n", 5),
        ("client.py", "async def f():\n    import subprocess\n\n    subprocess.run(['x'])\n", 4),
        ("client.py", "import requests\n\n\ndef g():\n    requests.Session()\n\n\nasync def f():\n    g()\n", 5),
        ("participant.py", "import time\n\n\ndef validate(request, loaded):\n    time.sleep(1)\n", 5),
        ("participant.py", "import os\n\n\ndef _g():\n    os.wait()\n\n\ndef price(request):\n    _g()\n", 5),
    ],
)  # fmt: skip
def test_calls_that_wait_are_reported(feature, name, text, line):
    feature.add(name, text)

    assert feature.static() == [(RULE, f"src/comanda_my_feature/{name}", line)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("client.py", "import asyncio\nimport time\n\n\nasync def f():\n    await asyncio.to_thread(time.sleep, 1)\n"),
        ("client.py", "import asyncio\n\n\nasync def f():\n    await asyncio.sleep(1)\n"),
        ("client.py", "import time\n\n\nasync def f():\n    def g():\n        time.sleep(1)\n\n    return g\n"),
        ("commands.py", "import subprocess\n\n\ndef deploy():\n    subprocess.run(['x'])\n"),
        ("participant.py", "import time\n\n\ndef validate(request, loaded):\n    return time.monotonic()\n"),
    ],
)  # fmt: skip
def test_calls_that_nobody_waits_for_are_allowed(feature, name, text):
    feature.add(name, text)

    assert feature.static() == []
