"""The structure of all pages of the documentation, so that a browser need not judge each of them."""

import pytest
from documentation_pages import JUDGED_PAGES, PAGES
from page_structure import PageStructure

# So many characters fit a screen of 320 pixels, beside the margins of a page.
MAX_WORD = 32


async def test_pages_need_no_judgement_of_their_own(client):
    structures = {}
    for path in PAGES:
        response = await client.get(path)
        assert response.status_code == 200
        structures[path] = PageStructure((await response.get_data()).decode())

    assert [(path, fault) for path, each in structures.items() for fault in each.find_faults()] == []
    others = structures.keys() - set(JUDGED_PAGES)
    assert [(path, word) for path in others if len(word := structures[path].longest_word) > MAX_WORD] == []
    judged = set().union(*[structures[path].list_kinds() for path in JUDGED_PAGES])
    assert [(path, kind) for path in others for kind in structures[path].list_kinds() - judged] == []


@pytest.mark.parametrize(
    ("part", "fault"),
    [
        ('<a href="/"></a>', "no name: "),
        ('<p id="x"></p><p id="x"></p>', "two elements have the id x"),
        ("<h3>Deep</h3>", "h3 follows h1"),
        ('<img src="a.png">', "no alternative text: "),
        ('<input name="a">', "no label: "),
        ('<button aria-controls="nothing">Open</button>', "no nothing for "),
        ("<main></main>", "2 main"),
    ],
)
def test_faults_are_found(part, fault):
    page = "<title>Page</title><main><h1>Page</h1><label>Name <input></label>{}</main>"

    assert list(PageStructure(page.format("")).find_faults()) == []
    [found] = PageStructure(page.format(part)).find_faults()
    assert found.startswith(fault)


def test_kinds_tell_apart_what_looks_different():
    page = "<main><ul><li>One</li></ul>{}</main>"
    kinds = PageStructure(page.format("")).list_kinds()

    assert PageStructure(page.format("<ul><li>Two</li></ul>")).list_kinds() == kinds
    for other in ('<ul class="fields"></ul>', "<ul><li><p>Two</p></li></ul>", "<ul hidden></ul>"):
        assert len(PageStructure(page.format(other)).list_kinds() - kinds) == 1
