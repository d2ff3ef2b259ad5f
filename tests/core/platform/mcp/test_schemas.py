"""Schemas of tools."""

import jsonschema

REFUSAL_FIELDS = {"message", "code", "errors"}


async def test_arguments_are_described_plainly(agent):
    schema = (await agent.tools())["greet"]["inputSchema"]

    assert schema == {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "note"],
        "properties": {
            "name": {"type": "string", "maxLength": 255, "description": "Whom to greet."},
            "times": {
                "type": "integer", "minimum": 1, "maximum": 5, "default": 1, "description": "How often, from 1 to 5."
            },
            "mood": {"type": "string", "enum": ["calm", "wild"], "description": "How to say it."},
            "on": {"type": "string", "format": "date", "description": "The day in the store's time zone."},
            "sides": {
                "type": "array",
                "default": [],
                "maxItems": 3,
                "description": "What comes with it.",
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["name"],
                    "properties": {
                        "name": {"type": "string", "maxLength": 255, "description": "What it is called."},
                        "grams": {
                            "type": "integer", "minimum": 1, "maximum": 2**53, "description": "Its weight in grams."
                        },
                    },
                },
            },
            "note": {
                "type": ["string", "null"], "maxLength": 2000, "description": "A note, or null to take it away."
            },
        },
    }  # fmt: skip


async def test_every_schema_is_one_and_refers_to_nothing(agent):
    for tool in (await agent.tools()).values():
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert "$ref" not in str(schema)
            assert not {"anyOf", "oneOf", "allOf"} & schema.keys()
        assert tool["outputSchema"]["properties"].keys() >= REFUSAL_FIELDS


async def test_a_tool_without_arguments_takes_an_empty_object(agent):
    schema = (await agent.tools())["half"]["inputSchema"]

    assert schema == {"type": "object", "properties": {}, "additionalProperties": False}
