"""Points and rewards of the demo restaurants and shops."""

from collections.abc import Mapping, Sequence
from typing import Final

from comanda.contracts import Caller, Showcase
from comanda.operations.demo_data import fill_once

from comanda_loyalty.models import RewardType
from comanda_loyalty.schemas import ProgrammeBody, RewardBody
from comanda_loyalty.services import programmes, rewards

FIVE_OFF: Final = RewardBody(name="5 off", type=RewardType.FIXED, value=5, points=100)
TENTH_OFF: Final = RewardBody(name="A tenth off", type=RewardType.PERCENTAGE, value=10, points=150)
REWARDS: Final[Mapping[str, Sequence[RewardBody]]] = {"restaurant": (FIVE_OFF, TENTH_OFF), "retail": (FIVE_OFF,)}


async def create_demo_programmes(showcase: Showcase) -> None:
    """Switch on the programme of each restaurant and shop, with rewards, unless it has one."""
    for store in showcase.stores:
        if bodies := REWARDS.get(str(store["store_type"])):
            await _create_programme(showcase.caller(), int(str(store["id"])), bodies)


async def _create_programme(caller: Caller, store_id: int, bodies: Sequence[RewardBody]) -> None:
    programme = await programmes.get_programme(caller, store_id)

    async def create() -> None:
        await programmes.update_programme(caller, store_id, ProgrammeBody(is_on=True, points=1))
        for body in bodies:
            await rewards.create_reward(caller, store_id, body)

    await fill_once(f"loyalty:{store_id}", create, is_there=programme.is_on)
