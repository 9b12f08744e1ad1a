import type { IncomingHttpHeaders } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { createMcpServer, type McpOptions } from './server.ts';

/** The HTTP response to a message. */
export interface MessageResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Handles one message and returns the response as JSON. */
export async function handleMessage(
  options: McpOptions,
  headers: IncomingHttpHeaders,
  message: unknown,
): Promise<MessageResponse> {
  const server = createMcpServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(
      new Request('http://mcp.invalid/mcp', { method: 'POST', headers: protocolHeaders(headers) }),
      { parsedBody: message },
    );
    const body = response.body ? Buffer.from(await response.arrayBuffer()) : null;
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  } finally {
    await server.close();
  }
}

/** Returns the headers that the protocol uses, without the API key. */
function protocolHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    ['accept', 'content-type', 'mcp-protocol-version'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    ),
  );
}
