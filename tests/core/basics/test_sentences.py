from comanda.basics.encoding import to_json
from comanda.basics.errors import Conflict
from comanda.basics.sentences import Sentence


def test_programs_read_the_english_text():
    refused = Conflict(Sentence("%(item)s is sold out.", item="Soup"))

    assert to_json(refused.envelope()) == b'{"message":"Soup is sold out.","code":"conflict"}'


def test_signs_of_what_people_name_are_kept():
    assert Sentence("%(item)s is sold out.", item="100 % juice, %(item)s") == "100 % juice, %(item)s is sold out."
    assert Sentence("100 % of it is gone.") == "100 % of it is gone."
