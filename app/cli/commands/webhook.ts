import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { messageOf } from '#domain/message-of.ts';
import { parseJson } from '#domain/parse-json.ts';
import {
  disableEndpoint,
  enableEndpoint,
  readSecrets,
  reencryptSecrets,
  replayRange,
  rotateSecret,
} from '#src/webhooks/operate.ts';
import { secretEncryption } from '#src/webhooks/secrets.ts';
import { isSigned } from '#src/webhooks/signature-header.ts';
import { limit, stopSignal } from '../command.ts';
import { accountCommands, type Connection, withConnection } from '../connect.ts';
import { printable, printJson } from '../output.ts';
import { parseDuration, parseMoment, wholeNumber } from '../values.ts';

/** Timeout in milliseconds, shorter than that of the service. */
const FORWARD_TIMEOUT_MS = 9_000;
const FORWARDED = /^(service-|webhook-|content-type$|user-agent$)/;

const encryptionOf = ({ encryptionKeys, random }: Connection) => secretEncryption(encryptionKeys, random);

export const HELP = `Examples:
  npm run cli -- webhook listen --to http://127.0.0.1:3000/hook
  npm run cli -- webhook listen whk_0f3a... --port 9100
  npm run cli -- webhook list
  npm run cli -- webhook skipped
  npm run cli -- webhook disable whk_0f3a...
  npm run cli -- webhook enable whk_0f3a...
  npm run cli -- webhook rotate whk_0f3a... --overlap 24h
  npm run cli -- webhook replay whk_0f3a... --from 2026-11-01T00:00:00Z --to 2026-11-02T00:00:00Z --failed
  npm run cli -- webhook reencrypt`;

export function addCommands(group: Command): void {
  const add = accountCommands(group);

  add('list', 'List the webhook endpoints of all organizations, newest first', async ({ pool }, flags) => {
    const { rows } = await pool.query(
      `select e.public_id as id, o.public_id as organization, e.url, e.event_types, e.status, e.disabled_reason, e.delivered,
              e.failed, (select count(*) from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending') as pending,
              e.sequence, e.missed_until, e.created_at
         from webhook_endpoints e join organizations o on o.id = e.organization_id order by e.id desc limit $1`,
      [flags.limit],
    );
    return rows;
  }).option(...limit(50));

  add('skipped', 'List the events that could not be matched with endpoints, newest first', async ({ pool }, flags) => {
    const { rows } = await pool.query(
      `select id, run_id as run, listing_id as listing, type, skipped_reason as reason, skipped_at as at
         from listing_events where skipped_at is not null order by skipped_at desc, run_id, listing_id limit $1`,
      [flags.limit],
    );
    return rows;
  }).option(...limit(50));

  add(
    'enable <id>',
    'Enable an endpoint: pending deliveries are sent first, then later events',
    async ({ change }, _flags, id) => {
      await change((audited) => enableEndpoint(audited, id));
      return { id, status: 'enabled' };
    },
  );

  add('disable <id>', 'Disable an endpoint; pending deliveries are kept', async ({ change }, _flags, id) => {
    await change((audited) => disableEndpoint(audited, id, 'operator'));
    return { id, status: 'disabled' };
  });

  add(
    'rotate <id>',
    'Rotate the secret of an endpoint, shown once; the old secret also signs for a while',
    async (connection, flags, id) => {
      const wanted = { overlapSeconds: parseDuration(String(flags.overlap)), force: flags.force === true };
      const encryption = encryptionOf(connection);
      const secret = await connection.change((audited) => rotateSecret(audited, encryption, id, wanted));
      return { id, secret };
    },
  )
    .option('--overlap <duration>', 'how long both secrets sign', '24h')
    .option('--force', 'also while the previous secret still signs, which then ends');

  add('replay <id>', 'Replay completed deliveries of a time range', async ({ change }, flags, id) => {
    const [from, to] = [parseMoment(String(flags.from)), parseMoment(String(flags.to))];
    if (!from || !to || from >= to) throw new InvalidArgumentError('--from must be before --to.');
    return { id, deliveries: await replayRange(change, id, { from, to, failedOnly: flags.failed === true }) };
  })
    .requiredOption('--from <time>', 'first moment')
    .requiredOption('--to <time>', 'the moment after the last')
    .option('--failed', 'only failed deliveries');

  add(
    'reencrypt',
    'Encrypt all secrets with the newest key of ENCRYPTION_KEYS; then older keys can be removed',
    async (connection) => ({ secrets: await reencryptSecrets(connection.change, encryptionOf(connection)) }),
  );

  addListen(group);
}

function addListen(group: Command): void {
  group
    .command('listen [id]')
    .description('Receive deliveries on this machine: verify their signatures, or forward them to a local server')
    .option('--port <port>', 'port of 127.0.0.1 to listen on', (text: string) => wholeNumber(text, 1, 65_535), 9100)
    .option('--to <url>', 'URL on this machine to forward deliveries to, with their headers and signature')
    .option('--secret <secret>', 'secret to verify with, instead of that of an endpoint')
    .action((id: string | undefined, _: unknown, command: Command) => {
      const { port, secret, to, json } = command.optsWithGlobals<ListenOptions>();
      if (to !== undefined) return listen(port, forwardTo(localUrl(to), json === true));
      if (secret !== undefined || id === undefined)
        return listen(port, (headers, body) => verify(headers, body, secret === undefined ? [] : [secret]));
      return withConnection(async (connection) => {
        // The secrets are read for each delivery, so that a rotation takes effect immediately.
        const secretsNow = () => readSecrets(connection.pool, encryptionOf(connection), id);
        await secretsNow();
        await listen(port, async (headers, body) => verify(headers, body, await secretsNow()));
      });
    });
}

interface ListenOptions {
  port: number;
  to?: string;
  secret?: string;
  json?: boolean;
}

type RequestListener = (headers: IncomingHttpHeaders, body: Buffer) => Promise<{ status: number; reply: string }>;

const verify = async (...[headers, body, secrets]: [...Parameters<RequestListener>, secrets: string[]]) => {
  const header = String(headers['service-signature'] ?? '');
  const verified = secrets.length > 0 ? isSigned(header, body, secrets, Math.floor(Date.now() / 1_000)) : null;
  const text = body.toString('utf8');
  printJson({
    verified,
    attempt: Number(headers['service-delivery-attempt'] ?? 0),
    event: parseJson(text) ?? text,
  });
  return verified === false ? { status: 401, reply: 'not signed by this secret' } : { status: 200, reply: 'thank you' };
};

/** Deliveries to other machines need registered endpoints. @throws InvalidArgumentError */
function localUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' && /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/.test(url.hostname)) return url;
  throw new InvalidArgumentError('--to must be an http URL on this machine, for example http://127.0.0.1:3000/hook.');
}

/** Unchanged, so that signatures remain valid. */
const forwardTo =
  (url: URL, json: boolean): RequestListener =>
  async (headers, body) => {
    const forwarded = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      FORWARDED.test(name) ? [[name, String(value)]] : [],
    );
    const { status, reply, failed } = await fetch(url, {
      method: 'POST',
      headers: forwarded,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    }).then(
      async (response) => ({ status: response.status, reply: await response.text(), failed: null }),
      (error: Error) => ({ status: 502, reply: '', failed: messageOf(error.cause ?? error) || 'no connection' }),
    );
    const [type, event, attempt] = ['event-type', 'event-id', 'delivery-attempt'].map(
      (name) => headers[`service-${name}`] ?? '-',
    );
    if (json) printJson({ type, event, attempt: Number(attempt), status, failed });
    else
      console.log(
        printable(`${type} ${event} attempt ${attempt}: ${failed === null ? status : `${status} (${failed})`}`),
      );
    return { status, reply };
  };

async function listen(port: number, receive: RequestListener): Promise<void> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, reply } = await receive(request.headers, await buffer(request));
    response.writeHead(status).end(reply);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      // For example, the sender closed the connection.
      console.error(printable(`A call could not be received: ${messageOf(error)}`));
      response.destroy();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  console.error(
    `Listening on http://${address}/. The service calls it if WEBHOOK_PRIVATE_HOSTS lists ${address}, as a local \`npm start\` does for 127.0.0.1:9100.\nCtrl-C stops.`,
  );
  await once(stopSignal(), 'abort');
  server.closeAllConnections();
  server.close();
}
