// Webhook receivers in a separate process, one per port. The first one can be made unresponsive.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Makes the first receiver unresponsive or responsive, and clears the recorded arrivals. */
export interface ReceiversRequest {
  hanging: boolean;
}

/** Arrival times by event id, in epoch milliseconds. The first receiver is not counted. */
export type Arrivals = Record<string, number>;

let hanging = false;
let arrivals: Arrivals = {};
const ports = await Promise.all(
  Array.from({ length: Number(process.env.RECEIVERS) }, async (_, index) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        if (index === 0 && hanging) return;
        if (index > 0) arrivals[String(request.headers['service-event-id'])] ??= Date.now();
        response.end('ok');
      });
    });
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }),
);
process.on('message', (request: ReceiversRequest) => {
  process.send?.(arrivals);
  arrivals = {};
  hanging = request.hanging;
});
process.on('disconnect', () => process.exit());
process.send?.(ports);
