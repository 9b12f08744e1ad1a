# Connects with the Python package: prints the address to open, reads the callback, and prints a result.
import asyncio
import sys
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

address, redirect = sys.argv[1:3]
document = sys.argv[3] if len(sys.argv) > 3 else None


class Storage:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def opened(url):
    print("OPEN", url, flush=True)


async def called_back():
    line = await asyncio.to_thread(sys.stdin.readline)
    query = {name: values[0] for name, values in parse_qs(urlparse(line.strip()).query).items()}
    return AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))


async def main():
    storage = Storage()
    auth = OAuthClientProvider(
        server_url=address,
        client_metadata=OAuthClientMetadata(client_name="Python", redirect_uris=[redirect]),
        storage=storage,
        redirect_handler=opened,
        callback_handler=called_back,
        client_metadata_url=document,
    )
    async with httpx2.AsyncClient(auth=auth, timeout=30) as http:
        async with streamable_http_client(address, http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                result = await session.call_tool("listCities", {})
                print("CALLED", result.content[0].text[:20], flush=True)
                # As after its end.
                auth.context.current_tokens.access_token = "x" * 43
                result = await session.call_tool("listCities", {})
                print("REFRESHED", result.content[0].text[:20], flush=True)


asyncio.run(main())
