"""A client of the Python SDK, version 2: see plan.py."""

import asyncio

import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from plan import HEADERS, PLAN, SERVER, follow, reply, say


def server():
    if "url" in SERVER:
        return streamable_http_client(SERVER["url"], http_client=create_mcp_http_client(HEADERS))
    return StdioServerParameters(**SERVER)


async def show(_, params):
    return types.ElicitResult(**await reply(params))


async def tell(progress, total, message):
    say(progress={"progress": progress})


async def main():
    async with Client(
        server(),
        elicitation_callback=show if PLAN["forms"] else None,
        client_info=types.Implementation(name=PLAN["name"], version="1.0"),
        mode="auto" if PLAN["era"] == "modern" else "legacy",
    ) as client:

        async def tools():
            return (await client.list_tools()).tools

        async def call(planned):
            return await client.call_tool(
                planned["tool"],
                planned["arguments"],
                progress_callback=tell if planned.get("progress") else None,
            )

        await follow(tools, call)


asyncio.run(main())
