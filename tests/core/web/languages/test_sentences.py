import pytest
from comanda.basics import errors
from comanda.basics.errors import ComandaError, Conflict, ValidationFailed
from comanda.contracts import validation
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


def test_errors_are_translated_by_field(runtime):
    with use_language("de"):
        with pytest.raises(ValidationFailed) as invalid, translate_errors():
            raise ValidationFailed(phone=["This field is required.", "Call us."])
        with pytest.raises(Conflict) as conflict, translate_errors():
            raise Conflict

    assert invalid.value.errors == {"phone": ["Dieses Feld ist erforderlich.", "Call us."]}
    assert conflict.value.message == "Das ist im aktuellen Zustand nicht möglich."
