"""Drives the example `http_auth` with the official Python client (PyPI mcp), in both eras: it is challenged,
registers itself, gets a token, is asked for more scope, gets that, and calls the guarded tool.

    python oauth.py path/to/http_auth

One line a check, then `N passed, M failed`; exit code 1 when one failed.
"""

import asyncio
import socket
import subprocess
import sys
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import OAuthClientMetadata

PATIENCE = 30  # seconds that one check may take
passed = failed = 0


class Memory:
    """Keeps the client's tokens."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class User:
    """Goes where the client sends it, and says yes."""

    def __init__(self):
        self.asked = []

    async def visit(self, url: str) -> None:
        self.asked.append(parse_qs(urlparse(url).query)["scope"][0])
        async with httpx2.AsyncClient() as browser:
            answer = await browser.get(url)
        query = parse_qs(urlparse(answer.headers["location"]).query)
        self.back = {key: values[0] for key, values in query.items()}

    async def come_back(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**self.back)


def check(name: str, holds: bool, note: object = "") -> None:
    global passed, failed
    passed, failed = passed + holds, failed + (not holds)
    print(f"{'ok' if holds else 'FAIL':4} {name}{'' if holds else f': {note}'}", flush=True)


async def drive(era: str, url: str) -> None:
    user = User()
    metadata = OAuthClientMetadata(
        redirect_uris=["http://127.0.0.1:1/back"], client_name="driver", token_endpoint_auth_method="none"
    )
    auth = OAuthClientProvider(url, metadata, Memory(), user.visit, user.come_back)
    mode = "legacy" if era == "legacy" else "auto"
    async with create_mcp_http_client(auth=auth) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            check(f"{era} gets in with a token", tools == ["add_book", "list_books"], tools)
            check(f"{era} asked for what the challenge named", user.asked == ["books:read"], user.asked)
            added = await client.call_tool("add_book", {"title": f"Dune {era}"})
            check(f"{era} calls the guarded tool", added.content[0].text == f"Ann added 'Dune {era}'.", added)
            more = [set(scope.split()) for scope in user.asked[1:]]
            check(f"{era} was asked for more scope once", more == [{"books:read", "books:write"}], user.asked)
            books = await client.call_tool("list_books", {})
            check(f"{era} reads with the new token", f"Dune {era}" in books.structured_content["result"], books)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


async def main(program: str) -> None:
    url, authority = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
    server = subprocess.Popen([program, url, authority])
    try:
        for _ in range(100):
            try:
                socket.create_connection(tuple(url.split(":"))).close()
                break
            except OSError:
                await asyncio.sleep(0.1)
        async with httpx2.AsyncClient() as stranger:
            answer = await stranger.post(f"http://{url}/mcp", json={})
        check("a stranger is challenged", answer.status_code == 401 and "www-authenticate" in answer.headers)
        for era in ("modern", "legacy"):
            try:
                async with asyncio.timeout(PATIENCE):
                    await drive(era, f"http://{url}/mcp")
            except Exception as error:
                check(f"{era} gets through", False, repr(error))
    finally:
        server.terminate()
        server.wait(PATIENCE)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


asyncio.run(main(sys.argv[1]))
