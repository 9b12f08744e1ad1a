import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { endpoints } from '#src/endpoints/index.ts';
import { createMcpServer, type SendRequest } from '#src/mcp/mcp-server.ts';
import { toolsOf } from '#src/mcp/tools.ts';

const LIMIT = 30_000;

export const HELP = `The key is read from API_KEY; without one the test key of the running \`npm start\` is used. Standard output belongs to the
protocol, so let npm be silent:

  API_KEY=<API_KEY> npm run --silent cli -- mcp --url https://api.example.com/v1`;

export function addCommands(command: Command): void {
  command
    .option('--url <url>', 'root URL of the API (default: BASE_URL, or that of the running `npm start`)')
    .action(async () => {
      const demo = await readDemo();
      const url = command.opts<{ url?: string }>().url ?? (process.env.BASE_URL || demo?.base_url);
      const key = process.env.API_KEY || demo?.keys.test;
      if (!url) throw new Error('BASE_URL is not set and no `npm start` was run here. Set it, or give --url.');
      if (!key) throw new Error('API_KEY is not set.');
      const options = {
        serviceName: process.env.SERVICE_NAME || 'Property Listings API',
        tools: toolsOf(endpoints),
        send: sendTo(url.replace(/(?<!\/)\/+$/, ''), key),
      };
      const closed = new Promise<void>((end) => {
        process.stdin.once('end', end);
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
      });
      const connection = serveStdio(() => createMcpServer(options));
      process.stderr.write(`Serving an assistant from ${url}.\n`);
      await closed;
      await connection.close();
    });
}

/** Returns null if the file, which `npm start` writes, does not exist. */
async function readDemo(): Promise<{ base_url: string; keys: { test: string } } | null> {
  const file = join(resolve(process.env.DATA_DIR || '.data'), 'demo.json');
  return JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) as { base_url: string; keys: { test: string } };
}

function sendTo(baseUrl: string, key: string): SendRequest {
  return async ({ method, url, headers, body }) => {
    const response = await fetch(`${baseUrl}${url.replace(/^\/v1/, '')}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(LIMIT),
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  };
}
