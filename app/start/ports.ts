import { once } from 'node:events';
import type { Server } from 'node:http';
import { isFree } from '#domain/process/ports.ts';
import { Problem } from '#domain/process/problem.ts';
import type { Config } from '#src/config.ts';

/**
 * Before the slow steps of a start.
 * @throws Problem if a port is in use
 */
export async function checkPorts({ host, port, metricsPort }: Config): Promise<void> {
  for (const [variable, each] of Object.entries({ PORT: port, METRICS_PORT: metricsPort }))
    if (each !== null && !(await isFree(each, host))) throw taken(variable, each, host);
}

/** @throws Problem if the port is in use */
export async function listen(server: Server, variable: string, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' || error.code === 'EACCES' ? taken(variable, port, host) : error;
  });
}

const taken = (variable: string, port: number, host: string): Problem =>
  new Problem(`Port ${port} of ${host} is taken or may not be used.`, [
    `Choose another: ${variable}=${port + 1}`,
    `Or find out which process uses it: lsof -i :${port}`,
  ]);
