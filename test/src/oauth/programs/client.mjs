// Connects with @modelcontextprotocol/sdk 1: prints the address to open, reads the callback, and prints a result.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';

const [address, redirect, document] = process.argv.slice(2);
const { resolve } = createRequire(join(process.cwd(), 'index.js'));
const load = (path) => import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/${path}`)).href);
const { Client } = await load('client/index.js');
const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
const lines = createInterface({ input: process.stdin });

const held = {};
const authProvider = {
  redirectUrl: redirect,
  ...(document && { clientMetadataUrl: document }),
  clientMetadata: { client_name: 'SDK 1', redirect_uris: [redirect] },
  clientInformation: () => held.client,
  saveClientInformation: (client) => {
    held.client = client;
  },
  tokens: () => held.tokens,
  saveTokens: (tokens) => {
    held.tokens = tokens;
  },
  redirectToAuthorization: (url) => console.log(`OPEN ${url.href}`),
  saveCodeVerifier: (verifier) => {
    held.verifier = verifier;
  },
  codeVerifier: () => held.verifier,
};
const open = () => new StreamableHTTPClientTransport(new URL(address), { authProvider });

const first = open();
await new Client({ name: 'sdk', version: '1' }).connect(first).catch(() => {});
const callback = new URL((await lines[Symbol.asyncIterator]().next()).value);
await first.finishAuth(callback.searchParams.get('code'));
const client = new Client({ name: 'sdk', version: '1' });
await client.connect(open());
const called = async () => (await client.callTool({ name: 'listCities', arguments: {} })).content[0].text;
console.log(`CALLED ${(await called()).slice(0, 20)}`);
// As after its end.
held.tokens = { ...held.tokens, access_token: 'x'.repeat(43) };
console.log(`REFRESHED ${(await called()).slice(0, 20)}`);
lines.close();
await client.close();
