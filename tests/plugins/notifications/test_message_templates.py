"""Message templates of all plugins."""

import pytest
from comanda.composition import registry as registry_module
from comanda.contracts import MessageTemplate, MessageText
from comanda.web.languages.translations import LANGUAGES

NAME = "customers.code"


def test_every_template_is_in_every_language_of_pages(runtime):
    for template in runtime.registry.message_templates.values():
        assert LANGUAGES.keys() <= template.texts.keys(), template.name
        for text in template.texts.values():
            filled = text.filled(template.fields)
            assert "{" not in filled.text + (filled.subject or "")
            # Two parts of an SMS at the most, with letters that are not in its small alphabet.
            assert "sms" not in template.channels or len(filled.text) <= 134, filled.text


def test_languages_of_a_template_name_the_same_fields(runtime):
    for template in runtime.registry.message_templates.values():
        named = {language: text.fields() for language, text in template.texts.items()}
        assert all(fields == named["en"] for fields in named.values()), (template.name, named)


def test_code_is_first_word_of_its_message(runtime):
    for name in ("customers.code", "drivers.code"):
        for text in runtime.registry.message_templates[name].texts.values():
            assert text.text.startswith("{code} ")


def test_text_contains_only_fields():
    assert MessageText("{a} {b_2}", "{c}").fields() == {"a", "b_2", "c"}
    for wrong in ("{", "}", "{}", "{a.b}", "{a!r}", "{a:>9}", "{0}", "{A}", "{{a}}", "{a"):
        with pytest.raises(ValueError, match="brace"):
            MessageText(wrong).fields()


def test_template_names_are_unique(runtime):
    assert (
        next(hook for hook in registry_module.HOOKS if hook.name == "register_message_templates").declares
        is MessageTemplate
    )
    assert NAME in runtime.registry.contributions["customers"]["message template"]
