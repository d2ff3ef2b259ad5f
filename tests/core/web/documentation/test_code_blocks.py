"""Colours of code: pieces in their classes, and nothing of the code lost or taken for HTML."""

import re
from html import unescape

import pytest
from comanda.web.documentation.code_blocks import GRAMMARS, highlight, mark_token

HOSTILE = """<b>&amp;"'</script> "un\\"closed $X #x '<i>' // x /* y"""


def strip(html):
    return unescape(re.sub(r"</?span[^>]*>", "", str(html)))


@pytest.mark.parametrize("language", [*GRAMMARS, "csv", ""])
@pytest.mark.parametrize("code", [HOSTILE, "", "\n\n", '{"a": [1, null, "b"]}', "def f(): return 'x'  # y\n"])
def test_code_stays_what_it_is(language, code):
    html = highlight(code, language)

    assert strip(html) == code
    assert re.findall(r"<(?!/?span)", str(html)) == []


@pytest.mark.parametrize(
    ("language", "code", "html"),
    [
        ("json", '{"a": -1.5}', '{<span class="c-key">&#34;a&#34;</span>: <span class="c-number">-1.5</span>}'),
        ("json", "[true]", '[<span class="c-word">true</span>]'),
        (
            "sh",
            "curl -X GET # why",
            '<span class="c-word">curl</span> <span class="c-key">-X</span> GET <span class="c-comment"># why</span>',
        ),
        ("sh", "ID=$ID", '<span class="c-variable">ID</span>=<span class="c-variable">$ID</span>'),
        ("python", "return 'a'", '<span class="c-word">return</span> <span class="c-string">&#39;a&#39;</span>'),
        ("javascript", "const a = 1;", '<span class="c-word">const</span> a = <span class="c-number">1</span>;'),
        ("toml", "[tool.x]\na = 1", '<span class="c-word">[tool.x]</span>\n<span class="c-key">a</span> = 1'),
        ("liquid", "{{ a }} <b>", "{{ a }} &lt;b&gt;"),
    ],
)
def test_pieces_have_classes(language, code, html):
    assert str(highlight(code, language)) == html


def test_the_place_of_a_token_is_marked():
    html = mark_token(highlight('-H "Authorization: Bearer own_YOUR_TOKEN"', "sh"), "own_YOUR_TOKEN", ("own_", "app_"))

    assert '<span data-token="own_ app_">own_YOUR_TOKEN</span>' in html
