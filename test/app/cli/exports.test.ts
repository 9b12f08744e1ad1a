import { ClaimLostError, chargeExport } from '#src/exports/charge-export.ts';
import { claimExport, renewExport } from '#src/exports/store.ts';
import { cli as run } from '#test/cli.ts';
import { createKey, createOrganization, unitsUsed } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { type ExportApp, startExportApp } from '../../src/exports/app.ts';

let app: ExportApp;
test.before(async () => {
  app = await startExportApp('exports_cli', { worker: null });
});
test.after(() => app.close());

/** Runs an `export` command. @returns its exit code, and its JSON output or error message */
async function cli(...args: string[]) {
  const { databaseUrl: DATABASE_URL } = app.services.config;
  const { code, out } = await run(['--json', 'export', ...args], { DATABASE_URL });
  return { code, body: JSON.parse(out) };
}

test('an operator can list exports, cancel a running export with a full refund, and restart it', async (t) => {
  const { id: organization, key } = await createOrganization(app.services);
  const admin = await createKey(app.services, organization, { kind: 'admin' });
  const { body } = await app.post(key, { dataset: 'listings', format: 'csv' });
  const { id } = body.data;
  const { pool } = app.services;
  const claimed = await claimExport(pool, 60_000);
  if (!claimed) throw new Error('nothing was claimed');
  t.is(await claimExport(pool, 60_000), null);
  const charge = { scope: 'exports', units: 200, rows: 1_500, now: null } as const;
  await chargeExport(pool, claimed, charge);
  // A second attempt computes the charge again and replaces it.
  await chargeExport(pool, claimed, { ...charge, units: 300 });
  t.is(await unitsUsed(app.services, organization), 300);

  const listed = await cli('list');
  t.like(listed.body[0], { id, status: 'running', units: 300, rows_total: 1_500 });
  const canceled = await cli('cancel', id);
  t.like(canceled.body, { id, status: 'canceled', units: 0 });
  t.is(await unitsUsed(app.services, organization), 0);
  t.false(await renewExport(pool, claimed, 60_000, 10), 'the worker detects the cancellation');
  await t.throwsAsync(chargeExport(pool, claimed, charge), { instanceOf: ClaimLostError });
  t.is(await unitsUsed(app.services, organization), 0);

  t.deepEqual(await cli('cancel', id), { code: 1, body: { error: 'This export is canceled.' } });
  t.like((await cli('retry', id)).body, { id, status: 'queued', rows_total: null });
  t.is((await claimExport(pool, 60_000))?.attempt, 2);
  const events = await app.request('/v1/organization/audit-events', { key: admin });
  t.deepEqual(
    events.body.data.map(({ action }: { action: string }) => action),
    ['export.retried', 'export.canceled', 'export.created'],
  );
});
