"""Encoding of tool results."""

import orjson
import pytest
from comanda.platform.mcp.results import clean_text, encode_result


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain", "plain"),
        ("line\nbreak\tand tab", "line\nbreak\tand tab"),
        ("\x00\x01\x1f\x7f\x85", ""),
        ("\r\b\f", ""),
        ("a\u202eb\u2066c\u200ed\u061ce", "abcde"),
        ("\U000e0049gnore", "gnore"),
        ("C:\\users\\u0001", "C:\\users\\u0001"),
        ("\\\\u0007\\b", "\\\\u0007\\b"),
        ('quo"ted\\', 'quo"ted\\'),
        ("Crème brûlée… “8 €” 👩‍🍳 日本", "Crème brûlée… “8 €” 👩‍🍳 日本"),
    ],
)
def test_only_invisible_characters_are_removed(text, kept):
    assert orjson.loads(clean_text(orjson.dumps({"text": text}))) == {"text": kept}


def test_structure_and_text_are_the_same_document():
    result = orjson.loads(encode_result(orjson.dumps({"a": 'x"\u202e\n'}), is_error=True))

    assert result == {
        "content": [{"type": "text", "text": '{"a":"x\\"\\n"}'}],
        "structuredContent": {"a": 'x"\n'},
        "isError": True,
    }
