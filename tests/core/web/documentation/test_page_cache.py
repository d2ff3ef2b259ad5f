"""The cache of pages: it keeps what was read last, and never more than it may."""

import gzip

from comanda.web.documentation.page_cache import PageCache


def make(number):
    # Texts that do not compress.
    return "".join(chr(0x4E00 + (number * 7919 + place * place * 31) % 20_000) for place in range(400))


def test_a_page_is_kept_compressed():
    cache = PageCache(10_000)
    page = cache.add("a", "<p>é</p>" * 200)

    assert cache.get("a") is page
    assert gzip.decompress(page.gzipped).decode() == "<p>é</p>" * 200
    assert cache.size == len(page.gzipped) < 200


def test_the_page_that_was_not_read_for_longest_makes_room():
    largest = max(len(PageCache(1).add("x", make(number)).gzipped) for number in (1, 2, 3))
    cache = PageCache(2 * largest)
    cache.add("a", make(1))
    cache.add("b", make(2))
    assert cache.get("a") is not None
    cache.add("c", make(3))

    assert (cache.get("b"), cache.get("a") is None, cache.get("c") is None) == (None, False, False)
    assert cache.size <= 2 * largest


def test_a_page_that_is_too_large_is_kept_alone():
    cache = PageCache(100)
    cache.add("a", make(1))
    page = cache.add("b", make(2))

    assert (cache.get("a"), cache.get("b")) == (None, page)
    assert cache.size == len(page.gzipped)


def test_a_page_that_changes_takes_the_place_of_the_old_one():
    cache = PageCache(10_000)
    old = cache.add("a", "old")
    new = cache.add("a", "new")

    assert old.etag != new.etag
    assert cache.size == len(new.gzipped)
