import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#src/config.ts';
import { VARIABLES } from '#src/variables.ts';
import { secretEncryption } from '#src/webhooks/secrets.ts';
import { featureOf, fileOf, square } from '#test/boundaries.ts';
import { testEnv } from '#test/env.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

test('a short or malformed secret is refused without revealing it', (t) => {
  const secret = 's'.repeat(32);
  const message = 'KEY_PEPPER must have at least 32 characters. Generate one with: openssl rand -hex 32';
  t.throws(() => readConfig({ ...testEnv(), KEY_PEPPER: secret.slice(1) }), { message });
  t.is(readConfig({ ...testEnv(), KEY_PEPPER: secret }).keyPepper, secret);
  for (const name of ['CURSOR_SECRETS', 'ENCRYPTION_KEYS']) {
    const readWith = (text: string) => readConfig({ ...testEnv(), [name]: text });
    const accepted = `${name} must be id:secret,id:secret with ids of 1 to 8 letters and digits, and secrets of at least 32 characters without colons.`;
    for (const text of [`a:${secret.slice(1)}`, `a:${secret},b:secret`, `a:${secret}:${secret}`, secret])
      t.throws(() => readWith(text), { message: accepted }, text);
    t.notThrows(() => readWith(`a:${secret},b:${secret}`));
  }
});

test('configured secrets precede the secrets derived from the key pepper, which stay valid', (t) => {
  const secret = 's'.repeat(32);
  const derived = readConfig(testEnv());
  const configured = readConfig({
    ...testEnv(),
    CURSOR_SECRETS: `c:${secret}`,
    ENCRYPTION_KEYS: `b:${secret},a:other-${secret}`,
  });
  t.deepEqual(configured.cursorSecrets, [{ id: 'c', secret }, ...derived.cursorSecrets]);
  t.deepEqual(configured.encryptionKeys, [
    { id: 'b', secret },
    { id: 'a', secret: `other-${secret}` },
    ...derived.encryptionKeys,
  ]);
  const stored = secretEncryption(derived.encryptionKeys, randomBytes).encrypt('whsec');
  t.is(secretEncryption(configured.encryptionKeys, randomBytes).decrypt(stored), 'whsec');
});

test('all configuration errors are reported at once with variable, value and accepted range', (t) => {
  const wrong = { PORT: 'many', HISTORY_START: '2026-02-30', S3_ENDPOINT: '', KEY_PEPPER: '' };
  const { message } = t.throws(() =>
    readConfig({
      ...testEnv(),
      ...wrong,
      SMTP_URL: 'smtps://user:password@mail',
      MAX_CONNECTIONS: '0',
      WEBHOOK_SOURCE_ADDRESSES: 'our.office',
    }),
  );
  t.deepEqual(message.split('\n').sort(), [
    'HISTORY_START must be a day, YYYY-MM-DD, not "2026-02-30".',
    'KEY_PEPPER is not set. Run `npm start` for embedded engines, or set it.',
    'MAIL_FROM is not set. SMTP_URL needs it.',
    'MAX_CONNECTIONS must be a whole number from 1 to 999999999, not "0".',
    'PORT must be a whole number from 0 to 65535, not "many".',
    'S3_ENDPOINT is not set. Run `npm start` for embedded engines, or set it.',
    'WEBHOOK_SOURCE_ADDRESSES must be addresses or CIDR ranges, such as 203.0.113.7,198.51.100.0/28, not "our.office".',
  ]);
});

test('a URL of Postgres that the driver cannot use is refused with what is wrong with it, and never shown', (t) => {
  const oneHost = /^DATABASE_URL must have one host, because the driver `pg` connects to one\. Use .+\.$/;
  for (const [url, message] of [
    ['postgres://u:p@127.0.0.1:1,127.0.0.1:5432/listings?target_session_attrs=read-write', oneHost],
    ['postgres://u:p@one,two/listings', oneHost],
    ['postgres://u:p@/listings?host=one,two', oneHost],
    ['postgres://u:p#ss@127.0.0.1/listings', /^DATABASE_URL must have its password percent-encoded: write # as %23\.$/],
    [
      'postgres://u:p/ss@127.0.0.1/listings',
      /^DATABASE_URL must be a URL like postgres:\/\/user:password@host:5432\/database,/,
    ],
  ] as const) {
    t.throws(() => readConfig({ ...testEnv(), DATABASE_URL: url }), { message }, url);
    t.throws(() => readConfig({ ...testEnv(), DATABASE_DIRECT_URL: url }), { message: /^DATABASE_DIRECT_URL must / });
  }
  for (const url of [
    'postgres://u:p%23s,s@127.0.0.1:5432/listings?sslmode=verify-full',
    'postgresql://u@[::1]/listings',
    'postgres://u:p@/listings?host=/run/postgresql',
    '/run/postgresql listings',
    'socket:/run/postgresql?db=listings',
  ])
    t.like(readConfig({ ...testEnv(), DATABASE_URL: url }), { databaseUrl: url, poolerUrl: null });
});

test('requests use DATABASE_URL as a pooler, and the rest DATABASE_DIRECT_URL, with certificates that are verified', (t) => {
  const [pooler, direct] = ['postgres://u:p@pooler:6432/listings', 'postgres://u:p@primary/listings'];
  const read = (more: string) =>
    readConfig({ ...testEnv(), DATABASE_URL: pooler + more, DATABASE_DIRECT_URL: direct + more });
  t.like(read('?sslmode=require&pgbouncer=true'), {
    poolerUrl: `${pooler}?sslmode=verify-full&pgbouncer=true`,
    databaseUrl: `${direct}?sslmode=verify-full&pgbouncer=true`,
  });
  t.like(read('?sslmode=require&uselibpqcompat=true'), { poolerUrl: `${pooler}?sslmode=require&uselibpqcompat=true` });
});

test('docs/configuration.md contains the generated table of all variables', async (t) => {
  const path = join(import.meta.dirname, '..', '..', 'docs', 'configuration.md');
  const page = await readFile(path, 'utf8');
  const rows = Object.entries<{ shown?: string; needed?: boolean; default?: unknown; description: string }>(
    VARIABLES,
  ).map(
    ([name, { shown, needed, default: value, description }]) =>
      `| \`${name}\` | ${needed ? '*needed*' : (shown ?? value)} | ${description} |`,
  );
  const table = ['| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
  const updated = page.replace(/\| Variable[\s\S]*?\n(?=\nRead elsewhere)/, () => table);
  if (process.env.UPDATE_GOLDEN) await writeFile(path, updated);
  t.is(await readFile(path, 'utf8'), updated);
});

test('a file of boundaries may have a byte-order mark, and invisible marks in the names of properties', async (t) => {
  const file = join(await temporaryFolder(t), 'boundaries.geojson');
  const feature = featureOf({ '\u200eneighborhood_id\ufeff': 1001 }, square(24.8, 46.6));
  await writeFile(file, `\ufeff${fileOf(feature)}`);
  const { boundaries } = readConfig({ ...testEnv(), BOUNDARIES_FILE: file });
  t.is(boundaries.neighborhoodAt({ lat: 24.8, lng: 46.6 })?.id, 1001);
});
