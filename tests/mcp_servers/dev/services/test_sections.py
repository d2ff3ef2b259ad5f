"""The schema of sections and its examples."""

import json

import jsonschema


async def test_section_schema_accepts_every_example(agent):
    answer = await agent.call("get_section_schema")
    hero = await agent.call("get_section_schema", {"section": "hero"})

    names = [example["name"] for example in answer["examples"]]
    assert names == ["featured-item", "footer", "gallery", "header", "hero", "menu-list", "opening-hours"]
    assert [example["path"] for example in hero["examples"]] == ["sections/hero.liquid"]
    assert all(example["summary"] for example in answer["examples"])
    for example in answer["examples"]:
        text = example["liquid"].partition("{% schema %}")[2].partition("{% endschema %}")[0]
        _check(answer["section"], json.loads(text))


def _check(schema, document):
    jsonschema.Draft202012Validator(schema).validate(document)
