import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ExecutionContext } from 'ava';

/** Connects the official SDK's client to `/mcp` with a key. The connection is closed when the test ends. */
export async function connectMcp(
  t: ExecutionContext,
  url: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { Authorization: `Bearer ${key}`, ...headers } },
    }),
  );
  t.teardown(() => client.close());
  return client;
}

export interface ToolResult {
  isError: boolean;
  /** Number of characters in the text content. */
  size: number;
  meta: Record<string, unknown> | undefined;
  structured: unknown;
  /** The text content, parsed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response under test
  body: any;
}

export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
  const { content, isError, _meta, structuredContent } = await client.callTool({ name, arguments: args });
  const [part] = content as [{ type: string; text: string }];
  return {
    isError: isError === true,
    size: part.text.length,
    meta: _meta,
    structured: structuredContent,
    body: JSON.parse(part.text),
  };
}
