"""Whether the server is alive, and whether it is ready for play: for supervisors and proxies."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from fastapi import APIRouter, Request, Response

from quincunx import __version__
from quincunx.web.games import CompiledGames

PING_SECONDS = 2.0  # within which the database must answer

log = logging.getLogger("quincunx.web")

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """That the process answers requests; says nothing about its database."""
    return {"status": "alive", "version": __version__}


@router.get("/readyz")
async def readyz(request: Request, response: Response) -> dict[str, Any]:
    """Whether rooms can be played: 200, or 503 with the reasons why not."""
    state = request.app.state
    reasons = await _reasons(state.store, state.lobby.games)
    response.status_code = 503 if reasons else 200
    return {"ready": not reasons, "reasons": reasons}


async def _reasons(store: Any, games: CompiledGames) -> list[str]:
    """Returns why the server is not ready; details are only logged, since anyone may ask."""
    reasons = []
    try:
        await asyncio.wait_for(store.ping(), PING_SECONDS)
    except Exception as error:
        log.warning("the database does not answer: %s", type(error).__name__)
        reasons.append("the database does not answer")
    else:
        if store.is_failing:
            reasons.append("the database cannot be written")
    compiling = [name for name in games.playable() if not games.is_compiled(name)]
    if compiling:
        reasons.append(f"games are being compiled: {', '.join(compiling)}")
    return reasons
