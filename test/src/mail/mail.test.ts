import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expireMails, expireSignIn } from '#app/workers/housekeeping/jobs.ts';
import { mailTime } from '#src/accounts/sending-limits.ts';
import { claimMail, mailAllOwners, queueMails, settleMail } from '#src/mail/outbox.ts';
import { createLogger } from '#src/observability/logger.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { test } from '#test/test.ts';
import { type Receiver, startReceiver, startWebhookApp, type WebhookApp } from '../webhooks/app.ts';

const PASSWORD = 'smtp-secret-0815';

interface ReceivedMail {
  to: string[];
  text: string;
}

let server: SMTPServer;
let receiver: Receiver;
let app: WebhookApp;
const received: ReceivedMail[] = [];
/** Returns the error with which the mail server refuses an email, or null to accept it. */
let refuse: (() => Error | null) | undefined;
let logged = '';

test.before(async () => {
  server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'service' && password === PASSWORD ? done(null, { user: username }) : done(new Error('no')),
    onData: async (stream, { envelope }, done) => {
      const mail = {
        to: envelope.rcptTo.map(({ address }) => address),
        text: (await text(stream)).replace(/\r\n[ \t]/g, ' '),
      };
      const error = refuse?.();
      if (error) return done(error);
      received.push(mail);
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  receiver = await startReceiver();
  receiver.answer = (_, response) => response.writeHead(500).end();
  app = await startWebhookApp('mail', {
    privateHosts: [receiver.host],
    env: {
      SMTP_URL: `smtp://service:${PASSWORD}@127.0.0.1:${(server.server.address() as AddressInfo).port}`,
      MAIL_FROM: 'service@example.com',
    },
    overrides: {
      logger: createLogger('debug', {
        write: (line) => {
          logged += line;
        },
      }),
    },
  });
});
test.after(async () => {
  await app?.close();
  await receiver?.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const mails = async () => (await app.services.pool.query('select * from mails order by id')).rows;

test('each owner of a disabled endpoint receives one email, even if the mail server is temporarily busy', async (t) => {
  const { pool } = app.services;
  const people = { 'noura@example.com': 'owner', 'omar@example.com': 'owner', 'sara@example.com': 'developer' };
  for (const [email, role] of Object.entries(people))
    await pool.query(
      `insert into members (public_id, organization_id, email, name, role) values ($1, $2, $3, $3, $4)`,
      [`mem_${email}`, app.owner.id, email, role],
    );
  const { id } = await app.subscribe(`${receiver.url}in?token=hidden`);
  await app.run(Array.from({ length: 22 }, () => ({ listing: app.listing() })));
  await app.match();
  await pool.query('update webhook_deliveries set tries = 5, attempts = 5');
  let refusals = 0;
  refuse = () =>
    ++refusals <= 2 ? Object.assign(new Error('try <noura@example.com> later'), { responseCode: 451 }) : null;
  const stops = [0, 1].map(() => app.startWorker({ mailPollMs: 20 }));
  await app.until(async () => (await mails()).filter(({ tries }) => tries === 1).length === 2);
  t.is(received.length, 0);
  for (const { error, finished_at } of await mails()) t.deepEqual([error, finished_at], ['emessage 451', null]);
  app.pass(2 * 60_000);
  await app.until(async () => (await mails()).every(({ finished_at }) => finished_at !== null));
  // No email is sent again a day later, when a worker sends one that is due later than a repeated one would be.
  app.pass(24 * 3_600_000);
  const control = { reason: 'control', recipient: 'control@example.com', subject: 's', body: 'b' };
  await inTransaction(pool, (db) => queueMails(db, [control], new Date(app.now())));
  await app.until(() => received.some(({ to }) => to.includes(control.recipient)));
  await Promise.all(stops.map((stop) => stop()));
  const sent = received.filter(({ to }) => !to.includes(control.recipient));
  t.deepEqual(sent.flatMap(({ to }) => to).sort(), ['noura@example.com', 'omar@example.com']);
  for (const mail of sent) {
    t.regex(mail.text, new RegExp(`^Subject: .*${id} was disabled\\r$`, 'm'));
    t.true(mail.text.includes(receiver.host));
    t.false(mail.text.includes('hidden'), 'the path may contain a secret');
  }
  t.regex(logged, /"mail not sent"/);
  for (const secret of [PASSWORD, 'noura@', 'omar@', 'service@example.com']) t.false(logged.includes(secret), secret);
});

test('an email is claimed by one worker, sent once, and not sent if its transaction is rolled back', async (t) => {
  const { pool } = app.services;
  await pool.query('delete from mails');
  const mail = { reason: 'test', recipient: 'a@example.com', subject: 's', body: 'b' };
  const now = new Date();
  await t.throwsAsync(
    inTransaction(pool, async (db) => {
      await queueMails(db, [mail], now);
      throw new Error('undone');
    }),
    { message: 'undone' },
  );
  t.is((await mails()).length, 0);
  const queue = (...queued: (typeof mail)[]) => inTransaction(pool, (db) => queueMails(db, queued, now));
  await queue(mail, { ...mail, recipient: 'b@example.com' });
  await queue(mail);
  t.is((await mails()).length, 2);
  const claim = (at: Date) => claimMail(pool, 60_000, at);
  const claimed = (await Promise.all([claim(now), claim(now), claim(now)])).flatMap((mail) => mail ?? []);
  t.is(new Set(claimed.map(({ id }) => id)).size, 2);
  t.is(claimed.length, 2);
  // A worker that has lost its lease records nothing.
  const [late] = claimed;
  const later = new Date(now.getTime() + 61_000);
  const next = [await claim(later), await claim(later)].find((mail) => mail?.id === late?.id);
  if (!late || !next) return t.fail();
  await settleMail(pool, late, { error: null, dueAt: null, now });
  t.is((await mails()).find(({ id }) => id === late.id).finished_at, null);
  await settleMail(pool, next, { error: null, dueAt: null, now });
  t.not((await mails()).find(({ id }) => id === late.id).finished_at, null);
  const news = { reason: 'changelog old-filter', subject: 'Deprecated', body: 'b' };
  t.is(await mailAllOwners(pool, news, now), 2, 'the owners of the test before');
  t.is(await mailAllOwners(pool, news, now), 0);
  const db = await pool.connect();
  t.teardown(() => db.release());
  t.deepEqual(await expireMails.run(db, new Date(now.getTime() + 31 * 86_400_000)), { deleted: 1 });
});

test('an email that expires is sent first, not after its time, and its text is deleted when it is sent or fails', async (t) => {
  const { pool } = app.services;
  await pool.query('delete from mails');
  const now = new Date();
  const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  const mail = (recipient: string) => ({ reason: 'test', recipient, subject: 's', body: 'link' });
  const queued = [
    mail('news@example.com'),
    { ...mail('late@example.com'), expires_at: later(1) },
    { ...mail('sign-in@example.com'), expires_at: later(10) },
  ];
  await inTransaction(pool, (db) => queueMails(db, queued, now));
  const claimed = [await claimMail(pool, 60_000, later(2)), await claimMail(pool, 60_000, later(2))];
  t.deepEqual(
    claimed.map((each) => each?.recipient),
    ['sign-in@example.com', 'news@example.com'],
  );
  t.is(await claimMail(pool, 60_000, later(2)), null);
  for (const [at, error] of [null, 'refused'].entries())
    if (claimed[at]) await settleMail(pool, claimed[at], { error, dueAt: null, now });
  t.deepEqual((await mails()).map(({ body }) => body).sort(), ['', '', 'link']);
  const db = await pool.connect();
  t.teardown(() => db.release());
  await expireSignIn.run(db, later(2));
  t.is((await mails()).length, 2, 'an expired email is deleted with its text');
});

test('an organization has at most 60 emails in an hour, which wait for their turn', async (t) => {
  const { pool } = app.services;
  const now = new Date();
  const turn = (host: string, organizationId: number) => mailTime(pool, { organizationId, host, now });
  const minutes: (number | null)[] = [];
  for (let sent = 0; sent < 62; sent++) {
    const at = await turn('mail.example.', -1);
    minutes.push(at && (at.getTime() - now.getTime()) / 60_000);
  }
  t.deepEqual(minutes.slice(0, 22), [...Array(20).fill(0), 1.5, 3]);
  t.deepEqual(minutes.slice(59), [60, null, null]);
  const times: Record<string, number | null> = {};
  for (const host of ['mail.example', 'other.example'])
    times[host] = ((await turn(host, -2))?.getTime() ?? 0) - now.getTime();
  t.true((times['mail.example'] ?? 0) > 0, 'the host is shared');
  t.is(times['other.example'], 0);
});
