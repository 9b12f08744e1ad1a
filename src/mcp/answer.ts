import type { IncomingHttpHeaders } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createMcpServer, type McpOptions } from './server.ts';

/** What a message is answered with over HTTP. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Answers one message, as JSON. */
export async function answerMessage(
  options: McpOptions,
  headers: IncomingHttpHeaders,
  message: unknown,
): Promise<HttpAnswer> {
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

/** The headers that the protocol looks at; a key is not among them. */
function protocolHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    ['accept', 'content-type', 'mcp-protocol-version'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    ),
  );
}
