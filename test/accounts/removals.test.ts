import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AuditedChange } from '#accounts/audit.ts';
import { decideRemoval, holdRemovals, listHeldRemovals } from '#accounts/held-removals.ts';
import { revokeKey } from '#accounts/key-store.ts';
import { removeMember, setMember } from '#accounts/member-store.ts';
import { parseRemovals, REMOVALS_FILE, recordRemoval } from '#accounts/removals.ts';
import { inTransaction } from '#postgres/transaction.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { insertEndpoint, readEndpoint } from '#webhooks/endpoints.ts';

const OPERATOR = { type: 'operator', id: 'test', requestId: null } as const;

let folder: string;
let app: TestApp;
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'removals-'));
  app = await startTestApp({
    env: { DATABASE_URL: await createDatabase('removals'), JOURNAL_DIR: join(folder, 'app') },
  });
});
test.after(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const readJournal = async (dir: string) => parseRemovals(await readFile(join(dir, REMOVALS_FILE), 'utf8'));

test('keys revoked and webhook endpoints deleted through the API are recorded in the removal journal', async (t) => {
  const { id, key } = await createOrganization(app.services);
  const admin = await createKey(app.services, id, { kind: 'admin' });
  const { rows } = await app.services.pool.query<{ public_id: string }>(
    `select public_id from api_keys where organization_id = $1 and kind = 'live'`,
    [id],
  );
  const keyId = rows[0]?.public_id as string;
  const send = (path: string) => app.request(path, { key: admin, json: {} });
  t.is((await send(`/v1/organization/keys/${keyId}/revoke`)).status, 200);
  t.is((await app.request('/v1/limits', { key })).status, 401);
  await insertEndpoint(app.services.pool, endpoint(id, 'whk_api'));
  t.is((await send('/v1/organization/webhooks/whk_api/delete')).status, 200);
  t.deepEqual(
    (await readJournal(join(folder, 'app'))).map((removal) => [removal.kind, removal.id]),
    [
      ['key', keyId],
      ['webhook', 'whk_api'],
    ],
  );
  t.regex(
    await readFile(join(folder, 'app', REMOVALS_FILE), 'utf8'),
    /^(\n\{"kind":"\w+","id":"\w+","at":"[^"]+"\}\n)+$/,
  );
});

const endpoint = (organizationId: number, id: string) => ({
  id,
  organizationId,
  url: 'https://example.com/hook',
  host: 'example.com',
  eventTypes: ['listing.created'] as const,
  filters: {},
  secret: Buffer.from('secret'),
  now: new Date(),
});

test('concurrent processes append complete removal entries, and a truncated entry does not hide other entries', async (t) => {
  const dir = join(folder, 'shared');
  const module = join(import.meta.dirname, '..', '..', 'src', 'accounts', 'removals.ts');
  const script = (name: string) => `
    import { recordRemoval } from ${JSON.stringify(module)};
    await Promise.all(Array.from({ length: 100 }, (_, at) =>
      recordRemoval(${JSON.stringify(dir)}, 'key', 'key_${name}' + at, (error) => { throw error; })));`;
  const run = (name: string) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script(name)]);
  await Promise.all(['a', 'b'].map(run));
  await appendFile(join(dir, REMOVALS_FILE), '\n{"kind":"key","id":"key_cut');
  await recordRemoval(dir, 'member', 'mem_last', (error) => t.fail(String(error)));
  const found = await readJournal(dir);
  t.is(new Set(found.map(({ id }) => id)).size, 201);
  t.is(found.length, 201);
});

test('an error while writing to the removal journal is reported and does not fail the removal', async (t) => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const errors: unknown[] = [];
  await recordRemoval(file, 'key', 'key_a', (error) => errors.push(error));
  t.is(errors.length, 1);
});

test('after a restore, removed keys, members and webhook endpoints stay disabled until an operator reviews them', async (t) => {
  const { services } = app;
  const { pool, random } = services;
  const { id, key } = await createOrganization(services);
  const change = <T>(work: (audited: AuditedChange) => Promise<T>) =>
    inTransaction(pool, (db) => work({ db, random, actor: OPERATOR }));
  const { rows } = await pool.query<{ public_id: string }>(
    'select public_id from api_keys where organization_id = $1',
    [id],
  );
  const keyId = rows[0]?.public_id as string;
  await change((audited) => setMember(audited, id, { email: 'o@example.com', name: 'O', role: 'owner' }));
  const memberId = await change((audited) =>
    setMember(audited, id, { email: 'm@example.com', name: 'M', role: 'viewer' }),
  );
  const hookId = `whk_${randomBytes(12).toString('hex')}`;
  await insertEndpoint(pool, endpoint(id, hookId));
  // The restored database has all three.
  const at = '2026-11-25T02:30:00.123Z';
  const removals = [
    { kind: 'key', id: keyId, at },
    { kind: 'member', id: memberId, at },
    { kind: 'webhook', id: hookId, at },
    { kind: 'key', id: 'key_later', at },
  ] as const;
  const hold = () => change(({ db }) => holdRemovals(db, removals));
  const held = async () =>
    (await listHeldRemovals(pool)).filter((removal) => [keyId, memberId, hookId].includes(removal.id));
  const members = async () =>
    (await pool.query('select public_id, email, role from members where organization_id = $1 order by id', [id])).rows;
  t.is(await hold(), 3);
  t.is(await hold(), 0, 'a repetition changes nothing');
  t.deepEqual(
    (await held()).map(({ kind, name }) => [kind, name]),
    [
      ['key', keyId],
      ['member', 'm@example.com'],
      ['webhook', 'https://example.com/hook'],
    ],
  );
  t.is((await app.request('/v1/limits', { key })).body.error.code, 'revoked_api_key');
  t.is((await members()).length, 1);
  t.is((await readEndpoint(pool, id, hookId))?.status, 'disabled');

  const decide = (one: string, decision: 'removed' | 'reinstated') =>
    change((audited) => decideRemoval(audited, one, decision));
  await decide(keyId, 'reinstated');
  t.is((await app.request('/v1/limits', { key })).status, 200);
  await decide(memberId, 'reinstated');
  t.deepEqual((await members())[1], { public_id: memberId, email: 'm@example.com', role: 'viewer' });
  await decide(hookId, 'removed');
  t.is(await readEndpoint(pool, id, hookId), null);
  t.deepEqual(await held(), []);
  t.is(await hold(), 0, 'a decision is respected');
  await t.throwsAsync(decide(keyId, 'removed'), { message: `No removal of "${keyId}" waits for a decision.` });
  // A later removal is another one.
  await change((audited) => revokeKey(audited, id, keyId));
  await change((audited) => removeMember(audited, id, 'm@example.com'));
  t.is(await change(({ db }) => holdRemovals(db, [{ kind: 'key', id: keyId, at: '2026-11-26T00:00:00.000Z' }])), 0);
});
