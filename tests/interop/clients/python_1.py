"""A client of the Python SDK, version 1: see plan.py."""

import asyncio
from contextlib import asynccontextmanager

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from plan import HEADERS, PLAN, SERVER, follow, reply, say


@asynccontextmanager
async def streams():
    if "url" in SERVER:
        async with streamablehttp_client(SERVER["url"], headers=HEADERS) as (read, write, _):
            yield read, write
    else:
        async with stdio_client(StdioServerParameters(**SERVER)) as (read, write):
            yield read, write


async def show(_, params):
    return types.ElicitResult(**await reply(params))


async def main():
    async with streams() as (read, write):
        forms = show if PLAN["forms"] else None
        info = types.Implementation(name=PLAN["name"], version="1.0")
        async with ClientSession(read, write, elicitation_callback=forms, client_info=info) as session:
            await session.initialize()

            async def tools():
                return (await session.list_tools()).tools

            async def tell(progress, total, message):
                say(progress={"progress": progress})

            async def call(planned):
                return await session.call_tool(
                    planned["tool"],
                    planned["arguments"],
                    progress_callback=tell if planned.get("progress") else None,
                )

            await follow(tools, call)


asyncio.run(main())
