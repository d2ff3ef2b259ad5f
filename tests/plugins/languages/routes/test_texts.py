"""What the routes of texts refuse."""


async def test_a_text_must_stand_on_the_menu(bistro):
    reply = await bistro.translate({"Soups": "Suppen", "Pizza": "Pizza"})

    assert (reply.status, list(reply.errors)) == (422, ["texts.1.source"])
    assert (await bistro.read_menu())[0]["name"] == "Soups"


async def test_languages_are_those_of_pages(bistro):
    await bistro.translate({"Soups": "Suppen"})

    listed = (await bistro.get("/menu/languages")).document
    unknown = [
        await bistro.translate({"Soups": "Zuppe"}, "it"),
        await bistro.send("GET", "/menu/languages/it"),
        await bistro.send_to(f"/api/v1/menu/{bistro.id}/languages/it"),
    ]

    assert {each["language"]: each["translated"] for each in listed} == {
        "en": 0, "pt": 0, "es": 0, "fr": 0, "de": 1, "ar": 0,
    }  # fmt: skip
    assert [reply.status for reply in unknown] == [404] * 3
