"""What every client of the Python SDKs here does: it follows a plan (its only argument, JSON) and says in
JSON lines what it got, as plan.cjs does. The call of each is what they differ in."""

import asyncio
import json
import os
import sys

PLAN = json.loads(sys.argv[1])
SERVER = PLAN["server"]
HEADERS = {"Authorization": f"Bearer {SERVER.get('token')}"}


def say(**line):
    print(json.dumps(line), flush=True)


def plain(model):
    """A model of an SDK as it was sent."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def reply(params):
    """Shows a form; what its person enters is the next line of the standard input."""
    say(form=plain(params))
    line = await asyncio.to_thread(sys.stdin.readline)
    if not line:
        await asyncio.Event().wait()
    return json.loads(line)


async def follow(list_tools, call):
    say(tools=[tool.name for tool in await list_tools()])
    for planned in PLAN["calls"]:
        try:
            say(result=plain(await call(planned)))
        except Exception as error:
            say(error=repr(error))
    # A thread may still wait for what a person enters.
    os._exit(0)
