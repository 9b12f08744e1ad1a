// Webhook receivers in a separate process, one per port. Sends the ports when they are open.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ports = await Promise.all(
  Array.from({ length: Number(process.env.RECEIVERS) }, async () => {
    const server = createServer((request, response) => request.resume().on('end', () => response.end('ok')));
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }),
);
process.on('disconnect', () => process.exit());
process.send?.(ports);
