"""Grams of texts."""

from comanda.basics.text_search import MAX_GRAMS
from comanda.orders.lists.search_grams import SearchText, parse_text


def test_text_is_parsed_into_what_it_may_be_part_of():
    assert parse_text("#12", with_numbers=True) == SearchText("#12", None, 12)
    assert parse_text("(0351) 912-3", with_numbers=True) == SearchText("(0351) 912-3", "3519123", None)
    assert parse_text("João 12", with_numbers=True) == SearchText("joao 12", None, None)
    assert parse_text("\u0661\u0662\u0663\u0664", with_numbers=True) == SearchText("1234", "1234", 1234)
    assert parse_text("1234", with_numbers=False) == SearchText("1234", "1234", None)


def test_grams_name_their_store():
    assert parse_text("Anna", with_numbers=True).list_grams(5) == [["5nann", "5nnna"]]
    assert parse_text("12", with_numbers=True).list_grams(5) == [["5n12"], ["5#12"]]
    assert parse_text("12345", with_numbers=True).list_grams(5) == [
        ["5n123", "5n234", "5n345"],
        ["5p1234", "5p2345"],
        ["5#12345"],
    ]


def test_short_and_long_texts_have_few_grams():
    assert parse_text("an", with_numbers=True).list_grams(5) is None
    assert parse_text("\N{COMBINING ACUTE ACCENT}", with_numbers=True).list_grams(5) is None
    long = "".join(chr(0x4E00 + number) for number in range(100))
    assert [len(grams) for grams in parse_text(long, with_numbers=True).list_grams(5)] == [MAX_GRAMS]
