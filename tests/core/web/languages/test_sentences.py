import pytest
from comanda.basics import errors
from comanda.basics.errors import ComandaError, Conflict, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.requests import validation
from comanda.web.languages.selection import use_language
from comanda.web.languages.sentences import SENTENCES, translate_errors, translate_sentence


def list_kinds(kind=ComandaError):
    return [kind, *(each for child in kind.__subclasses__() for each in list_kinds(child))]


def test_messages_of_all_errors_of_core_are_known():
    own = {kind.message for kind in list_kinds() if kind.__module__ == errors.__name__}

    assert own | set(validation._WORDING.values()) <= set(SENTENCES)


@pytest.mark.parametrize(
    ("sentence", "german"),
    [
        ("This field is required.", "Dieses Feld ist erforderlich."),
        ("Must have at most 40 characters.", "Höchstens 40 Zeichen."),
        ("Must be one of: open, paused.", "Erlaubt sind: open, paused."),
        ("Order 4711 is unknown here.", "Order 4711 is unknown here."),
    ],
)
def test_sentences_of_the_api_are_translated(runtime, sentence, german):
    assert translate_sentence(sentence) == sentence
    with use_language("de"):
        assert translate_sentence(sentence) == german


def test_sentences_with_parts_are_translated_with_them(runtime):
    sentence = Sentence("There is not enough of %(item)s left.", item="Pão 100%")

    assert sentence == "There is not enough of Pão 100% left."
    assert translate_sentence(sentence) == sentence
    with use_language("de"):
        assert translate_sentence(sentence) == "Von Pão 100% ist nicht mehr genug da."


def test_a_part_that_is_a_sentence_is_translated_too(runtime):
    refusal = Sentence("%(item)s is sold out.", item=Sentence("This field is required."))

    with use_language("de"):
        assert translate_sentence(refusal) == "Dieses Feld ist erforderlich. ist ausverkauft."


def test_errors_are_translated_by_field(runtime):
    german = {"accept-language": "de-AT, en;q=0.5"}
    with pytest.raises(ValidationFailed) as invalid, translate_errors(german):
        raise ValidationFailed(phone=["This field is required.", "Call us."])
    with pytest.raises(Conflict) as conflict, translate_errors(german):
        raise Conflict

    assert invalid.value.errors == {"phone": ["Dieses Feld ist erforderlich.", "Call us."]}
    assert conflict.value.message == "Das ist im aktuellen Zustand nicht möglich."
