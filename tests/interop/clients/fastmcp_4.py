"""A client of fastmcp: see plan.py."""

import asyncio

import mcp_types as types
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

from plan import HEADERS, PLAN, SERVER, follow, reply, say


def server():
    if "url" in SERVER:
        return StreamableHttpTransport(SERVER["url"], headers=HEADERS)
    return StdioTransport(**SERVER)


async def show(message, response_type, params, context):
    return ElicitResult(**await reply(params))


async def tell(progress, total, message):
    say(progress={"progress": progress})


async def main():
    async with Client(
        server(),
        elicitation_handler=show if PLAN["forms"] else None,
        client_info=types.Implementation(name=PLAN["name"], version="1.0"),
        mode="auto" if PLAN["era"] == "modern" else "legacy",
    ) as client:

        async def call(planned):
            return await client.call_tool_mcp(
                planned["tool"],
                planned["arguments"],
                progress_handler=tell if planned.get("progress") else None,
            )

        await follow(client.list_tools, call)


asyncio.run(main())
