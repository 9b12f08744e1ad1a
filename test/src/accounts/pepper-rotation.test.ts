import { randomBytes } from 'node:crypto';
import { keysOfOtherPeppers } from '#src/accounts/key-store.ts';
import { decodeCursor, encodeCursor } from '#src/http/cursor.ts';
import { secretEncryption } from '#src/webhooks/secrets.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

const [OLD, NEW] = ['the old pepper of this installation', 'the new pepper of this installation'] as const;

/** Nodes before, during and after the rotation, on one database. */
let DATABASE_URL: string;
const start = (env: Record<string, string>) => startTestApp({ env: { DATABASE_URL, ...env } });
let before: TestApp;
let during: TestApp;
let after: TestApp;
test.before(async () => {
  DATABASE_URL = await createDatabase('pepper');
  [before, during, after] = await Promise.all([
    start({ KEY_PEPPER: OLD }),
    start({ KEY_PEPPER: NEW, KEY_PEPPER_OLD: OLD }),
    start({ KEY_PEPPER: NEW }),
  ]);
});
test.after(async () => {
  await Promise.all([before, during, after].map((app) => app.close()));
});

const status = async (app: TestApp, key: string) => (await app.request('/v1/limits', { key })).status;

test('a key hashed with the old pepper is rehashed when it is used, and then works with the new pepper alone', async (t) => {
  const { id, key } = await createOrganization(before.services);
  const idle = await createKey(before.services, id);
  t.is(await status(after, key), 401, 'the new pepper alone does not know it');
  t.deepEqual(await Promise.all([status(during, key), status(during, key)]), [200, 200]);
  t.is(await status(after, key), 200);
  t.is(await status(before, key), 401);
  const unseen = await keysOfOtherPeppers(after.services.pool, NEW);
  t.is(unseen.length, 1, 'the idle key is listed');
  t.is(await status(during, idle), 200);
  t.deepEqual(await keysOfOtherPeppers(after.services.pool, NEW), []);
  const leaked = await createKey(before.services, id);
  t.is((await during.request(`/v1/cities?x=${leaked}`)).body.error.code, 'api_key_in_query');
  const { rows } = await during.services.pool.query(
    'select id from api_keys where organization_id = $1 and exposed_at is not null',
    [id],
  );
  t.is(rows.length, 1, 'the leaked key is marked for rotation');
});

test('during a rolling restart, nodes with the two peppers in opposite order accept the same key', async (t) => {
  const { key } = await createOrganization(during.services);
  const reversed = await startTestApp({
    env: { DATABASE_URL: during.services.config.databaseUrl, KEY_PEPPER: OLD, KEY_PEPPER_OLD: NEW },
  });
  t.teardown(reversed.close);
  for (const app of [during, reversed, during, reversed]) t.is(await status(app, key), 200);
});

test('cursors, stored responses and webhook secrets of the old pepper stay valid while both peppers are configured', async (t) => {
  const { id } = await createOrganization(before.services);
  const key = await createKey(before.services, id, { kind: 'admin' });
  const secretsOf = ({ services }: TestApp) => services.config.cursorSecrets;
  const position = { offset: 25, after: [7, 0] as const, fingerprint: Buffer.alloc(12, 1) };
  const cursor = encodeCursor(position, secretsOf(before));
  const headers = { 'Idempotency-Key': randomBytes(8).toString('hex') };
  const create = (app: TestApp) => app.request('/v1/organization/keys', { key, headers, json: { name: 'made' } });
  const made = await create(before);
  t.is(made.status, 201);

  t.is(decodeCursor(cursor, secretsOf(during))?.offset, 25);
  t.deepEqual((await create(during)).body, made.body);
  const later = encodeCursor(position, secretsOf(during));
  t.is(decodeCursor(later, secretsOf(after))?.offset, 25, 'new cursors are signed under the new pepper');
  t.is(decodeCursor(cursor, secretsOf(after)), null);

  const encryption = ({ services }: TestApp) => secretEncryption(services.config.encryptionKeys, services.random);
  const stored = encryption(before).encrypt('whsec');
  t.is(encryption(during).decrypt(stored), 'whsec');
  t.throws(() => encryption(after).decrypt(stored));
  t.is(
    encryption(after).decrypt(encryption(during).encrypt('whsec')),
    'whsec',
    'a new secret is encrypted under the new pepper',
  );
});
