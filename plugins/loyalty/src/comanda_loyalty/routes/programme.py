"""The programme of a store and its rewards, as owners manage them."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_loyalty.records import Programme, Reward
from comanda_loyalty.schemas import ProgrammeBody, RewardBody
from comanda_loyalty.services import programmes, rewards

routes = Routes("Loyalty")


@routes.get("/restaurants/{id}/loyalty", scope="customers:read")
async def get_programme(caller: Caller, id: int) -> Programme:
    """Return how customers of a store collect points; a store has no programme until its owner turns it on."""
    return await programmes.get_programme(caller, id)


@routes.put("/restaurants/{id}/loyalty", scope="customers:write")
async def update_programme(caller: Caller, id: int, body: ProgrammeBody) -> Programme:
    """Replace the programme of a store. Points that customers have stay as they are."""
    return await programmes.update_programme(caller, id, body)


@routes.get("/restaurants/{id}/loyalty/rewards", scope="customers:read")
async def list_rewards(caller: Caller, id: int, page: PageRequest) -> RecordPage[Reward]:
    """List the rewards of a store, the cheapest first, 20 per page."""
    return await rewards.list_rewards(caller, id, page)


@routes.post("/restaurants/{id}/loyalty/rewards", scope="customers:write")
async def create_reward(caller: Caller, id: int, body: RewardBody) -> Reward:
    """Create a reward that customers can choose for their points."""
    return await rewards.create_reward(caller, id, body)


@routes.get("/restaurants/{id}/loyalty/rewards/{rewardId}", scope="customers:read")
async def get_reward(caller: Caller, id: int, reward_id: int) -> Reward:
    """Return a reward."""
    return await rewards.get_reward(caller, id, reward_id)


@routes.put("/restaurants/{id}/loyalty/rewards/{rewardId}", scope="customers:write")
async def update_reward(caller: Caller, id: int, reward_id: int, body: RewardBody) -> Reward:
    """Replace a reward. Orders that have it keep what it took off."""
    return await rewards.update_reward(caller, id, reward_id, body)


@routes.delete("/restaurants/{id}/loyalty/rewards/{rewardId}", scope="customers:write")
async def delete_reward(caller: Caller, id: int, reward_id: int) -> None:
    """Delete a reward. Orders that have it keep what it took off."""
    await rewards.delete_reward(caller, id, reward_id)
