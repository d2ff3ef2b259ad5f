"""Every way in which declarations can disagree stops the start, with one line that names the plugins."""

import sys
import types
from typing import Annotated, ClassVar

import click
import pytest
from comanda import hookimpl
from comanda.basics.startup_errors import (
    BrokenPlugin,
    DuplicateRegistration,
    InvalidDeclaration,
    InvalidSettings,
    StartupError,
    UnknownReference,
)
from comanda.composition import plugin_loader, registry
from comanda.contracts.background.events import Event, EventHandler, Personal
from comanda.contracts.background.messaging import MessageTemplate, MessageText
from comanda.contracts.background.queues import LeasedQueue, QueueTable, QueueWork
from comanda.contracts.background.tasks import Task
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.demo import DemoData
from comanda.contracts.entitlements import Entitlement, EntitlementProvider, Feature
from comanda.contracts.orders.fulfillment import FulfillmentMode
from comanda.contracts.orders.participants import OrderParticipant
from comanda.contracts.orders.sections import Record, Section
from comanda.contracts.registry import Plugin
from comanda.contracts.requests.callers import Caller, CallerKind
from comanda.contracts.requests.routes import Routes
from comanda.contracts.scopes import Scope
from comanda.contracts.settings import PluginSettings
from comanda.contracts.stores.settings import StoreSettings, StoreSettingsFields, setting
from comanda.contracts.stores.verticals import ItemCapability, Vertical, VerticalGroup
from comanda.contracts.web.documentation import Chapter
from pydantic import BaseModel
from tortoise import fields
from tortoise.models import Model


class Sprouted(Event):
    """A seed sprouted."""

    name: ClassVar = "seed.sprouted"
    scope: ClassVar = "orders:read"
    sample: ClassVar = {"id": 1}


class SproutedAgain(Sprouted):
    """The same name once more."""


class Nameless(Event):
    """It forgets to say its name."""


class Thorns(BaseModel):
    thorns: int = 0


class MoreThorns(BaseModel):
    thorns: str = ""


class Price(BaseModel):
    price: int = 0


class Obligatory(BaseModel):
    petals: int


class GardenSettings(PluginSettings):
    beds: int = 3


async def nothing(*_):
    """Do nothing."""


def plugin(name, **hooks):
    """Make a plugin whose hooks return what is given, or are the functions given."""
    module = types.ModuleType(f"fake_{name}")
    for hook, declared in hooks.items():
        answer = declared if isinstance(declared, types.FunctionType) else answering(declared)
        setattr(module, hook, hookimpl(answer))
    return Plugin(name, f"comanda-{name}", "1.0", (module,))


def answering(declared):
    return lambda: declared


def core():
    return plugin_loader.load([])[0]


def gather(*extra):
    return registry.gather([core(), *extra])


def refused(kind, *extra):
    """Expect the start to stop; return its line."""
    with pytest.raises(StartupError) as stopped:
        gather(*extra)
    assert type(stopped.value) is kind
    line = str(stopped.value)
    assert "\n" not in line
    return line


def routes(path="/seeds", *, scope="menu:read", callers=("owner",), method="GET"):
    made = Routes("Garden", callers=callers)

    async def show() -> dict[str, str]:
        """Show the seeds."""
        return {}

    made.route(method, path, scope=scope)(show)
    return made


def parametrised(path, **options):
    made = Routes("Garden")

    async def show(call) -> dict[str, str]:
        """Show a seed."""
        return {}

    made.route("GET", path, scope="menu:read", **options)(show)
    return made


def vertical(store_type="garden", capabilities=(), modes=()):
    return Vertical(store_type, "Garden", VerticalGroup.GOODS, capabilities, modes)


CLASHES = {
    "route": ("register_routes", routes, "GET /api/v1/seeds"),
    "vertical": ("register_verticals", vertical, "garden"),
    "fulfillment mode": ("register_fulfillment_modes", lambda: FulfillmentMode("by-bee", "By bee"), "by-bee"),
    "event handler": ("register_event_handlers", lambda: EventHandler("water", nothing), "water"),
    "task": ("register_tasks", lambda: Task("weed", nothing), "weed"),
    "command": ("register_commands", lambda: click.Command("dig"), "dig"),
    "demo step": ("register_demo_data", lambda: DemoData("garden", nothing), "garden"),
}


@pytest.mark.parametrize("what", CLASHES)
def test_two_plugins_with_one_name_are_named_both(what):
    hook, make, name = CLASHES[what]

    line = refused(DuplicateRegistration, plugin("rose", **{hook: [make()]}), plugin("tulip", **{hook: [make()]}))

    assert line == f"Plugins rose and tulip both declare the {what} {name}."


@pytest.mark.parametrize("what", CLASHES)
def test_one_plugin_that_repeats_itself_is_refused_too(what):
    hook, make, name = CLASHES[what]

    line = refused(DuplicateRegistration, plugin("rose", **{hook: [make(), make()]}))

    assert line == f"Plugins rose and rose both declare the {what} {name}."


def test_command_of_core_cannot_be_taken_over():
    line = refused(DuplicateRegistration, plugin("rose", register_commands=[click.Command("run")]))

    assert line == "Plugins core and rose both declare the command run."


def test_system_exit_in_a_hook_names_the_plugin():
    def register_tasks():
        raise SystemExit(3)

    line = refused(BrokenPlugin, plugin("rose", register_tasks=register_tasks))

    assert line == "Plugin rose: register_tasks does not return declarations: SystemExit(3)."


def test_two_events_of_one_name():
    line = refused(
        DuplicateRegistration,
        plugin("rose", register_events=[Sprouted]),
        plugin("tulip", register_events=[SproutedAgain]),
    )

    assert line == "Plugins rose and tulip both declare the event seed.sprouted."


def test_task_and_queue_worker_share_names():
    line = refused(
        DuplicateRegistration,
        plugin("rose", register_tasks=[Task("weed", nothing)]),
        plugin("tulip", register_tasks=[LeasedQueue("weed", QueueTable("weeds"), QueueWork(nothing))]),
    )

    assert line == "Plugins rose and tulip both declare the task weed."


def test_a_route_of_cores_cannot_be_taken_over():
    line = refused(DuplicateRegistration, plugin("rose", register_routes=[routes("/restaurants")]))

    assert line == "Plugins core and rose both declare the route GET /api/v1/restaurants."


def test_routes_that_differ_in_the_names_of_their_parameters_only_are_one():
    line = refused(DuplicateRegistration, plugin("rose", register_routes=[parametrised("/restaurants/{storeId}")]))

    assert line == "Plugins core and rose both declare the route GET /api/v1/restaurants/{}."


def test_two_operations_of_one_name():
    line = refused(
        DuplicateRegistration,
        plugin("rose", register_routes=[routes("/seed-bags")]),
        plugin("tulip", register_routes=[routes("/seed/bags")]),
    )

    assert line == "Plugins rose and tulip both declare the operation get_seed_bags."


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        (CallerKind("gardener", "gd_"), CallerKind("gardener", "gr_"), "caller kind gardener"),
        (CallerKind("gardener", "gd_"), CallerKind("digger", "gd_"), "token prefix gd_"),
    ],
)
def test_caller_kinds_clash_by_code_and_by_prefix(first, second, what):
    line = refused(
        DuplicateRegistration,
        plugin("rose", register_caller_kinds=[first]),
        plugin("tulip", register_caller_kinds=[second]),
    )

    assert line == f"Plugins rose and tulip both declare the {what}."


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        (CallerKind("gardener", "gd"), "prefix"),
        (CallerKind("gardener", "gd_live_"), "prefix"),
        (CallerKind("gardener", ""), "prefix"),
        (CallerKind("gardener", "gd_", header="X-Garden-Token"), "header X-Garden-Token"),
    ],
)
def test_caller_kind_with_unusable_tokens(kind, problem):
    line = refused(InvalidDeclaration, plugin("rose", register_caller_kinds=[kind]))

    assert line.startswith("Plugin rose: the caller kind gardener")
    assert problem in line


def test_caller_kind_acts_as_undeclared_kind():
    line = refused(UnknownReference, plugin("rose", register_caller_kinds=[CallerKind("a", "a_", acts_as="ghost")]))

    assert line == "Plugin rose: the caller kind a acts as ghost, which no plugin declares."


def test_two_capabilities_with_one_item_field():
    line = refused(
        DuplicateRegistration,
        plugin("rose", register_item_capabilities=[ItemCapability("thorny", "Thorny", Thorns)]),
        plugin("tulip", register_item_capabilities=[ItemCapability("spiky", "Spiky", MoreThorns)]),
    )

    assert line == "Plugins rose and tulip both declare the item field thorns."


def test_two_capabilities_with_one_code():
    line = refused(
        DuplicateRegistration,
        plugin("rose", register_item_capabilities=[ItemCapability("thorny", "Thorny", Thorns)]),
        plugin("tulip", register_item_capabilities=[ItemCapability("thorny", "Thorny", BaseModel)]),
    )

    assert line == "Plugins rose and tulip both declare the item capability thorny."


def test_an_item_field_of_cores():
    line = refused(
        DuplicateRegistration, plugin("rose", register_item_capabilities=[ItemCapability("dear", "Dear", Price)])
    )

    assert line == "Plugins core and rose both declare the item field price."


def test_an_item_field_without_a_default():
    line = refused(
        InvalidDeclaration, plugin("rose", register_item_capabilities=[ItemCapability("petals", "Petals", Obligatory)])
    )

    assert line == "Plugin rose: the field petals of the item capability petals has no default."


@pytest.mark.parametrize(
    ("made", "missing"),
    [
        (vertical(capabilities=("photosynthesis",)), "capability photosynthesis"),
        (vertical(modes=("by-wind",)), "fulfillment mode by-wind"),
    ],
)
def test_vertical_with_undeclared_names(made, missing):
    line = refused(UnknownReference, plugin("rose", register_verticals=[made]))

    assert line == f"Plugin rose: the vertical garden names the {missing}, which no plugin declares."


def test_vertical_may_use_declarations_of_later_plugin():
    made = vertical(capabilities=("thorny", "stock"), modes=("by-bee",))
    helper = plugin(
        "zinnia",
        register_item_capabilities=[ItemCapability("thorny", "Thorny", Thorns)],
        register_fulfillment_modes=[FulfillmentMode("by-bee", "By bee")],
    )

    found = gather(plugin("rose", register_verticals=[made]), helper)

    assert found.verticals["garden"] is made
    assert [capability.code for capability in found.item_fields(made)] == ["thorny"]
    assert "thorny" in found.capabilities()


def test_handler_of_undeclared_event():
    line = refused(
        UnknownReference, plugin("rose", register_event_handlers=[EventHandler("water", nothing, (Sprouted,))])
    )

    assert line == "Plugin rose: the handler water wants seed.sprouted, which no plugin declares."


def test_an_event_without_a_name():
    line = refused(InvalidDeclaration, plugin("rose", register_events=[Nameless]))

    assert line.endswith("Nameless does not say its name.")


def test_a_route_without_a_scope():
    line = refused(InvalidDeclaration, plugin("rose", register_routes=[routes(scope=None)]))

    assert line == "Plugin rose: GET /api/v1/seeds declares no scope."


def test_a_route_with_a_scope_that_nobody_declares():
    line = refused(UnknownReference, plugin("rose", register_routes=[routes(scope="seeds:read")]))

    assert line == (
        "Plugin rose: GET /api/v1/seeds requires the scope seeds:read, which no plugin declares for tokens of the kind "
        "owner."
    )


def test_a_scope_of_another_kind_does_not_count():
    seeds = Scope("seeds:read", "Read seeds", kinds=("gardener",))
    gardener = {"register_caller_kinds": [CallerKind("gardener", "gd_")], "register_scopes": [seeds]}

    line = refused(UnknownReference, plugin("rose", **gardener, register_routes=[routes(scope="seeds:read")]))

    assert line.endswith("declares for tokens of the kind owner.")


def test_a_declared_scope_can_be_required_and_is_listed():
    seeds = Scope("seeds:sow", "Sow seeds")

    found = gather(plugin("rose", register_scopes=[seeds], register_routes=[routes(scope="seeds:sow")]))

    assert "seeds:sow" in found.list_scopes("owner")
    assert found.scopes["owner"]["seeds:sow"].label == "Sow seeds"


def test_two_scopes_of_one_name():
    line = refused(DuplicateRegistration, plugin("rose", register_scopes=[Scope("orders:read", "Read my orders")]))

    assert line == "Plugins core and rose both declare the scope owner/orders:read."


@pytest.mark.parametrize(
    ("scope", "kind", "message"),
    [
        (Scope("Seeds", "Seeds"), InvalidDeclaration, "needs a name such as bookings:read"),
        (Scope("seeds:*", "Seeds"), InvalidDeclaration, "needs a name such as bookings:read"),
        (Scope("any", "Seeds"), InvalidDeclaration, "a name other than any"),
        (Scope("seeds:read", ""), InvalidDeclaration, "needs a label"),
        (Scope("seeds:read", "Seeds", kinds=()), InvalidDeclaration, "caller kinds"),
        (Scope("seeds:read", "Seeds", kinds=("bee",)), UnknownReference, "tokens of the kind bee"),
    ],
)
def test_scopes_that_nobody_could_grant(scope, kind, message):
    assert message in refused(kind, plugin("rose", register_scopes=[scope]))


async def entitle(owner_id, feature):
    return Entitlement()


def test_two_entitlement_providers():
    provider = EntitlementProvider(entitle)

    line = refused(
        DuplicateRegistration,
        plugin("rose", register_entitlements=[provider]),
        plugin("tulip", register_entitlements=[provider]),
    )

    assert line == "Plugins rose and tulip both declare the entitlement (provider)."


def test_a_route_with_a_feature_that_nobody_declares():
    line = refused(UnknownReference, plugin("rose", register_routes=[parametrised("/beds", feature="beds")]))

    assert line == "Plugin rose: GET /api/v1/beds needs the feature beds, which no plugin declares."


def test_a_public_route_cannot_need_a_feature():
    public = parametrised("/beds", feature="beds", callers=())

    line = refused(
        InvalidDeclaration, plugin("rose", register_entitlements=[Feature("beds", "Beds")], register_routes=[public])
    )

    assert line == "Plugin rose: GET /api/v1/beds needs the feature beds of callers, and takes none."


class Beds(StoreSettingsFields):
    beds: int = setting(3, label="Beds")


class UnlabelledBeds(StoreSettingsFields):
    beds: int = 3


class NeededBeds(StoreSettingsFields):
    beds: int = setting(..., label="Beds")


class WrongBeds(StoreSettingsFields):
    beds: int = setting(0, label="Beds", ge=1)


@pytest.mark.parametrize(
    ("settings", "kind", "message"),
    [
        (StoreSettings("tulip", "Beds", Beds), InvalidDeclaration, "are not named after the plugin"),
        (StoreSettings("rose", "Beds", UnlabelledBeds), InvalidDeclaration, "the field beds without a default or"),
        (StoreSettings("rose", "Beds", NeededBeds), InvalidDeclaration, "the field beds without a default or"),
        (StoreSettings("rose", "Beds", WrongBeds), InvalidDeclaration, "defaults or types that do not fit"),
        (StoreSettings("rose", "Beds", Beds, capability="soil"), UnknownReference, "name the capability soil"),
    ],
)
def test_store_settings_that_no_form_could_ask_for(settings, kind, message):
    assert message in refused(kind, plugin("rose", register_store_settings=[settings]))


def test_store_settings_get_routes_of_their_own():
    found = gather(plugin("rose", register_store_settings=[StoreSettings("rose", "Beds", Beds)]))

    assert found.contributions["rose"]["route"] == (
        "GET /api/v1/restaurants/{id}/settings/rose",
        "PUT /api/v1/restaurants/{id}/settings/rose",
    )


class Withered(Sprouted):
    """A plant withered."""

    name: ClassVar = "plant.withered"
    scope: ClassVar = "plants:read"


class Picked(Sprouted):
    """A flower was picked."""

    name: ClassVar = "flower.picked"
    by: Annotated[str | None, Personal("gardeners:read")] = None


@pytest.mark.parametrize(
    ("event", "name", "scope"),
    [(Withered, "plant.withered", "plants:read"), (Picked, "flower.picked", "gardeners:read")],
)
def test_an_event_with_a_scope_that_nobody_declares(event, name, scope):
    line = refused(UnknownReference, plugin("rose", register_events=[event]))

    assert line.startswith(f"Plugin rose: the event {name} requires the scope {scope}, which no plugin declares")


def test_a_public_route_needs_no_scope():
    found = gather(plugin("rose", register_routes=[routes(scope=None, callers=())]))

    assert "GET /api/v1/seeds" in found.contributions["rose"]["route"]


class Petals(BaseModel):
    petals: int = 0


class Total(BaseModel):
    total: int = 0


def flower_shop(*modes):
    verticals = [
        Vertical("flower_shop", "Flower shop", VerticalGroup.GOODS, ("bouquets",), tuple(mode.code for mode in modes))
    ]
    capability = ItemCapability("bouquets", "Bouquets", Thorns)
    return {
        "register_verticals": verticals,
        "register_fulfillment_modes": list(modes),
        "register_item_capabilities": [capability],
    }


def test_participant_of_undeclared_mode():
    participant = OrderParticipant("wrapping", modes=("gift",))

    line = refused(UnknownReference, plugin("rose", register_order_participants=[participant]))

    assert line == (
        "Plugin rose: the order participant wrapping names the fulfillment mode gift, which no plugin declares."
    )


def test_participant_of_undeclared_capability():
    participant = OrderParticipant("wrapping", capability="petals")

    line = refused(UnknownReference, plugin("rose", register_order_participants=[participant]))

    assert line == "Plugin rose: the order participant wrapping names the capability petals, which no plugin declares."


def test_participants_twice():
    participants = [OrderParticipant("wrapping"), OrderParticipant("wrapping")]

    line = refused(DuplicateRegistration, plugin("rose", register_order_participants=participants))

    assert line == "Plugins rose and rose both declare the order participant wrapping."


def test_an_order_field_that_core_has():
    shop = flower_shop(FulfillmentMode("gift", "Gift", fields=Total))

    line = refused(DuplicateRegistration, plugin("rose", **shop))

    assert line == "The order field total of the fulfillment mode gift is also one of core."


def test_one_order_field_of_two_participants_of_the_same_orders():
    shop = flower_shop(FulfillmentMode("gift", "Gift", fields=Petals))
    tulip = plugin("tulip", register_order_participants=[OrderParticipant("wrapping", ("gift",), fields=Petals)])

    line = refused(DuplicateRegistration, plugin("rose", **shop), tulip)

    assert line == "The order field petals of plugin tulip is also one of the fulfillment mode gift."


def test_one_order_field_in_orders_that_never_meet():
    shop = flower_shop(FulfillmentMode("gift", "Gift", fields=Petals), FulfillmentMode("counter", "Counter"))
    tulip = plugin("tulip", register_order_participants=[OrderParticipant("wrapping", ("counter",), fields=Petals)])

    assert [one.name for one in gather(plugin("rose", **shop), tulip).order_participants] == ["wrapping"]


def section(name, fields):
    async def load(owner_id, order_ids):
        return {}

    return Section(name, Record.ORDER, fields, load)


def test_a_section_with_a_key_that_core_has():
    line = refused(DuplicateRegistration, plugin("rose", register_sections=[section("money", Total)]))

    assert line == "Plugins core and rose both declare the key total of the record order."


def test_one_key_in_two_sections():
    roses = plugin("rose", register_sections=[section("garden", Petals)])

    line = refused(DuplicateRegistration, roses, plugin("tulip", register_sections=[section("field", Petals)]))

    assert line == "Plugins rose and tulip both declare the key petals of the record order."


def chapter(name="roses", path="registry.py"):
    return Chapter(name, "Roses", "How roses are sold.", "comanda.composition", path)


def test_a_chapter_is_found_by_its_name():
    found = gather(plugin("rose", register_docs=[chapter()]))

    assert found.docs["roses"].text.startswith('"""The hooks of the contract')
    assert found.contributions["rose"]["documentation chapter"] == ("roses",)


def test_a_chapter_whose_file_is_not_in_the_wheel():
    line = refused(InvalidDeclaration, plugin("rose", register_docs=[chapter(path="docs/roses.md")]))

    assert line == "Plugin rose: the chapter roses names the file docs/roses.md, which comanda.composition lacks."


def test_a_chapter_with_a_name_that_no_address_takes():
    line = refused(InvalidDeclaration, plugin("rose", register_docs=[chapter("Red roses")]))

    assert line == "Plugin rose: the chapter 'Red roses' needs a name of lower-case letters, digits and hyphens."


def test_a_route_for_callers_of_an_unknown_kind():
    line = refused(UnknownReference, plugin("rose", register_routes=[routes(callers=("owner", "gardener"))]))

    assert line == "Plugin rose: GET /api/v1/seeds takes callers of the kind gardener, which no plugin declares."


def test_handler_with_unknown_path_parameter_is_rejected():
    made = Routes("Garden")

    async def show(caller: Caller, seed_id: int) -> dict[str, str]:
        return {}

    with pytest.raises(TypeError, match=r"show wants 'seed_id', which /seeds does not supply"):
        made.get("/seeds", scope="menu:read")(show)


def test_a_handler_that_cannot_be_awaited_cannot_be_declared():
    made = Routes("Garden")

    def show(caller: Caller) -> dict[str, str]:
        return {}

    with pytest.raises(TypeError, match="show is not async"):
        made.get("/seeds", scope="menu:read")(show)


class Bed(Model):
    id = fields.BigIntField(primary_key=True)

    class Meta:
        table = "rose_bed"


class Path(Model):
    id = fields.BigIntField(primary_key=True)

    class Meta:
        table = "garden_path"


def models_module(monkeypatch, name, *models):
    module = types.ModuleType(name)
    for model in models:
        copy = type(
            model.__name__,
            (Model,),
            {"Meta": model.Meta, "__module__": name, "id": fields.BigIntField(primary_key=True)},
        )
        setattr(module, model.__name__, copy)
    monkeypatch.setitem(sys.modules, name, module)
    return name


def test_models_must_be_named_after_plugin():
    line = refused(InvalidDeclaration, plugin("rose", register_models=[ModelSet("tulip", (), "x")]))

    assert line == "Plugin rose declares models of the app tulip instead of its own."


def test_models_twice():
    line = refused(DuplicateRegistration, plugin("rose", register_models=[ModelSet("rose", (), "x")] * 2))

    assert line == "Plugins rose and rose both declare the model set rose."


def test_two_models_of_one_table(monkeypatch):
    one = models_module(monkeypatch, "fake_rose_models", Bed)
    other = models_module(monkeypatch, "fake_rose_more_models", Bed)

    line = refused(DuplicateRegistration, plugin("rose", register_models=[ModelSet("rose", (one, other), "x")]))

    assert line == "Plugins rose and rose both declare the table rose_bed."


def test_a_table_that_is_not_named_after_its_plugin(monkeypatch):
    module = models_module(monkeypatch, "fake_path_models", Path)

    line = refused(InvalidDeclaration, plugin("rose", register_models=[ModelSet("rose", (module,), "x")]))

    assert line == "Plugin rose: the table garden_path does not begin with rose_."


def test_models_that_cannot_be_imported():
    line = refused(BrokenPlugin, plugin("rose", register_models=[ModelSet("rose", ("no_such_module",), "x")]))

    assert line.startswith("Plugin rose: the models in no_such_module cannot be imported: ModuleNotFoundError")


def test_tables_are_among_what_a_plugin_contributes(monkeypatch):
    module = models_module(monkeypatch, "fake_bed_models", Bed)

    found = gather(plugin("rose", register_models=[ModelSet("rose", (module,), "x")]))

    assert found.contributions["rose"]["table"] == ("rose_bed",)
    assert {"core_owner", "core_order", "core_outbox"} <= set(found.contributions["core"]["table"])


@pytest.mark.parametrize(
    ("hook", "declared", "told"),
    [
        ("register_caller_kinds", CallerKind("gardener", "gd_"), "register_caller_kinds does not return declarations"),
        ("register_routes", [("GET", "/seeds")], "register_routes returns ('GET', '/seeds'), which it does not take."),
        ("register_events", [Sprouted, BaseModel], "register_events returns <class 'pydantic.main.BaseModel'>"),
        ("register_settings", BaseModel, "register_settings returns <class 'pydantic.main.BaseModel'>"),
        ("register_tasks", ["weed"], "register_tasks returns 'weed', which it does not take."),
    ],
)
def test_an_answer_that_is_no_declaration(hook, declared, told):
    kind = BrokenPlugin if isinstance(declared, CallerKind) else InvalidDeclaration

    line = refused(kind, plugin("rose", **{hook: declared}))

    assert line.startswith(f"Plugin rose: {told}")


def test_a_hook_that_raises():
    def register_events():
        raise ValueError("no seeds")

    line = refused(BrokenPlugin, plugin("rose", register_events=register_events))

    assert line == "Plugin rose: register_events does not return declarations: ValueError('no seeds')."


def test_a_misspelled_hook():
    line = refused(BrokenPlugin, plugin("rose", register_route=[routes()]))

    assert line.startswith("Plugin rose (comanda-rose): ")
    assert "register_route" in line


def test_hook_with_unknown_arguments():
    module = types.ModuleType("fake_rose")

    @hookimpl
    def register_events(app):
        return []

    module.register_events = register_events

    line = refused(BrokenPlugin, Plugin("rose", "comanda-rose", "1.0", (module,)))

    assert line.startswith("Plugin rose (comanda-rose): ")
    assert "app" in line


def test_settings_are_read_under_the_plugins_name(monkeypatch):
    monkeypatch.setenv("COMANDA_ROSE_BEDS", "7")

    found = gather(plugin("rose", register_settings=GardenSettings))

    assert found.settings[GardenSettings].beds == 7


def test_settings_that_do_not_validate(monkeypatch):
    monkeypatch.setenv("COMANDA_ROSE_BEDS", "many")

    line = refused(InvalidSettings, plugin("rose", register_settings=GardenSettings))

    assert "COMANDA_ROSE_BEDS" in line


def test_declarations_know_their_plugin():
    seeds = routes()
    found = gather(plugin("rose", register_routes=[seeds]))

    assert found.plugin_of(next(iter(seeds))) == "rose"
    assert found.plugin_of(found.events["order.created"]) == "core"
    assert found.plugin_of(object()) == "unknown"


def test_hooks_may_answer_nothing():
    found = gather(plugin("rose", register_events=None, register_settings=None))

    assert found.contributions["rose"] == {}


def test_core_alone_declares_the_whole_owner_api_and_no_vertical():
    found = gather()

    assert dict(found.verticals) == {}
    assert dict(found.fulfillment_modes) == {}
    assert list(found.caller_kinds) == ["owner"]
    orders = {"created", "amended", "status_changed", "charge_added", "payment_changed", "paid"}
    assert {f"order.{name}" for name in orders} | {"menu.updated", "store.intake_changed"} == set(found.events)


def test_the_registry_cannot_be_changed():
    found = gather()

    with pytest.raises(TypeError):
        found.events["seed.sprouted"] = Sprouted
    with pytest.raises(AttributeError):
        found.routes = ()


def template(name="seeds.sprouted", **changes):
    made = {
        "about": "x",
        "channels": ("sms",),
        "texts": {"en": MessageText("{code} it is.")},
        "fields": {"code": "834112"},
    }
    return MessageTemplate(name, **{**made, **changes})


def test_a_template_is_found_by_its_name():
    made = template(
        texts={"en": MessageText("{code}"), "pt-BR": MessageText("{code}"), "zh-Hant": MessageText("x")}, required=()
    )

    assert gather(plugin("rose", register_message_templates=[made])).message_templates["seeds.sprouted"] is made


def test_two_templates_with_one_name():
    rose, tulip = (plugin(name, register_message_templates=[template()]) for name in ("rose", "tulip"))

    line = refused(DuplicateRegistration, rose, tulip)

    assert line == "Plugins rose and tulip both declare the message template seeds.sprouted."


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": "sprouted"}, "needs a name of two or more words with dots between them, such as bouquets.ready"),
        ({"name": "a." + "x" * 99}, "needs a name of two or more words with dots between them, such as bouquets.ready"),
        ({"channels": ()}, "needs channels out of sms, email, push"),
        ({"channels": ("sms", "pigeon")}, "needs channels out of sms, email, push"),
        ({"texts": {"pt": MessageText("{code}")}}, "has no text in English, en"),
        ({"texts": {"en": MessageText("x"), "pt_BR": MessageText("x")}},
         "has a text in pt_BR, which is no language such as pt or pt-BR"),
        ({"texts": {"en": MessageText("{petals}")}}, "has a text in en with the field petals, which it does not have"),
        ({"texts": {"en": MessageText("{code.real}")}}, "has a text in en with a brace that belongs to no field"),
        ({"texts": {"en": MessageText("{code}"), "de": MessageText("x", "{code}")}, "required": ("code",)},
         "has a text in de without the field code, which it requires"),
        ({"required": ("petals",)}, "requires the field petals, of which it has no sample"),
        ({"channels": ("sms", "email")}, "has a text in en without a subject, which e-mail and push show"),
    ],
)  # fmt: skip
def test_a_template_that_could_not_be_sent(changes, problem):
    made = template(**changes)

    line = refused(InvalidDeclaration, plugin("rose", register_message_templates=[made]))

    assert line == f"Plugin rose: the message template {made.name} {problem}."
