import { randomUUID } from 'node:crypto';
import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { type Admitted, type ChargeId, charge, type Refused, refundCharge, settleCharge } from '#metering/charge.ts';
import { PendingRefunds } from '#metering/pending-refunds.ts';
import { readEntries } from '#metering/refund-journal.ts';
import type { Queryable } from '#postgres/transaction.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization, makeChargeRequest, unitsUsed } from '#test/factories.ts';
import { FullDisk } from '#test/full-disk.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});
const journals = folderOfFile();

/** Creates an organization and a function that charges 5 units to it. */
async function organization() {
  const { pool } = app.services;
  const { id, key } = await createOrganization(app.services);
  const ask = (chargeId: ChargeId, db: Queryable = pool): Promise<Admitted | Refused> =>
    charge(db, chargeId, makeChargeRequest(app.services, key, { units: 5, ip: null }), 10_000);
  const units = () => unitsUsed(app.services, id);
  return { ask, units };
}

const newId = (number = 1): ChargeId => ({ session: randomUUID(), charge: number });

const admitted = (answer: Admitted | Refused): Admitted => {
  if (answer.outcome !== null) throw new Error(answer.outcome);
  return answer;
};

test('a charge that completed after its call timed out is refunded once', async (t) => {
  const { pool } = app.services;
  const { ask, units } = await organization();
  const first = newId();
  await ask(first);
  const second = { ...first, charge: 2 };
  const charged = admitted(await ask(second));
  t.is(await units(), 10);
  await Promise.all(Array.from({ length: 8 }, () => settleCharge(pool, second)));
  t.is(await units(), 5);
  await refundCharge(pool, second, charged);
  t.is(await units(), 5, 'a second refund of the same charge changes nothing');
  await settleCharge(pool, first);
  t.is(await units(), 5, 'an earlier charge of the session that completed is kept');
});

test('a charge that is cancelled before it starts never takes effect', async (t) => {
  const { ask, units } = await organization();
  for (const before of [0, 1]) {
    const id = newId();
    if (before === 1) await ask(id);
    const late = { ...id, charge: before + 1 };
    const had = await units();
    await settleCharge(app.services.pool, late);
    await t.throwsAsync(ask(late), { message: /session is closed/ });
    t.is(await units(), had);
  }
});

test('a charge that is cancelled while it is running is refunded when it completes', async (t) => {
  const { ask, units } = await organization();
  const db = await app.services.pool.connect();
  const id = newId();
  await db.query('begin');
  await ask(id, db);
  const settled = settleCharge(app.services.pool, id);
  await db.query('commit');
  db.release();
  await settled;
  t.is(await units(), 0);
});

test('a charge that was lost in a crash is not refunded', async (t) => {
  const { pool } = app.services;
  const { ask, units } = await organization();
  const id = newId();
  const charged = admitted(await ask(id));
  const lost = { ...id, charge: 2 };
  await refundCharge(pool, lost, charged);
  await refundCharge(pool, newId(), charged);
  t.is(await units(), 5);
});

/** A connection to Postgres that can be cut. */
class Line {
  isCut = true;
  readonly query = ((...asked: Parameters<pg.Pool['query']>) => {
    if (this.isCut) return Promise.reject(new Error('Connection terminated'));
    return app.services.pool.query(...asked);
  }) as Queryable['query'];
}

test('pending refunds are issued when Postgres is available again, and then the journal is removed', async (t) => {
  const { ask, units } = await organization();
  const dir = join(journals, 'back');
  const line = new Line();
  const refunds = new PendingRefunds(line, app.services.logger, Date.now, dir);
  const charged = await Promise.all(Array.from({ length: 30 }, async () => admitted(await ask(newId()))));
  t.is(await units(), 150);
  await Promise.all(charged.map((each) => refunds.add({ id: each.id, taken: each.units % 2 ? each : null })));
  t.is(refunds.size, 30);
  t.is((await readdir(dir)).length, 1);
  line.isCut = false;
  await eventually(() => refunds.size === 0);
  t.is(await units(), 0);
  await refunds.close();
  t.deepEqual(await readdir(dir), []);
});

test('refunds of a killed process are issued once by the next process, which then removes the journal', async (t) => {
  const { ask, units } = await organization();
  const dir = join(journals, 'killed');
  const line = new Line();
  // The instance is never closed, like that of a killed process.
  const killed = new PendingRefunds(line, app.services.logger, Date.now, dir);
  const charged = await Promise.all([1, 2, 3].map(async () => admitted(await ask(newId()))));
  const [first, second, third] = charged as [Admitted, Admitted, Admitted];
  await killed.add({ id: first.id, taken: first });
  await killed.add({ id: second.id, taken: null });
  const [name = ''] = await readdir(dir);
  // Simulates a truncated last line.
  await appendFile(join(dir, name), JSON.stringify({ id: third.id, taken: third, at: Date.now() }).slice(0, 40));
  const gone = join(dir, '999999999-1-aa.ndjson');
  await writeFile(gone, `${JSON.stringify({ id: first.id, taken: first, at: Date.now() })}\n`);

  for (let start = 0; start < 2; start++) {
    const next = new PendingRefunds(app.services.pool, app.services.logger, Date.now, dir);
    await next.recover();
    await eventually(() => next.size === 0);
    t.is(next.size, 0);
    await next.close();
    t.is(await units(), 5, 'a charge with a truncated journal line is kept');
  }
  t.deepEqual(await readdir(dir), []);

  // Another container cannot determine whether the process was killed. If the process still runs, its later refunds
  // must not be lost.
  await killed.add({ id: third.id, taken: third });
  const last = new PendingRefunds(app.services.pool, app.services.logger, Date.now, dir);
  await last.recover();
  await eventually(() => last.size === 0);
  await last.close();
  t.is(await units(), 0);
  line.isCut = false;
  await killed.close();
  t.is(await units(), 0, 'two processes with the same refund make it once');
  t.deepEqual(await readdir(dir), []);
});

test('a refund that could not be journaled on a full disk is journaled when there is space, before it is issued', async (t) => {
  const dir = join(journals, 'full');
  const disk = new FullDisk();
  const { ask, units } = await organization();
  const charged = admitted(await ask(newId()));
  const refunds = new PendingRefunds(new Line(), app.services.logger, Date.now, dir, disk);
  disk.room = 30;
  await refunds.add({ id: charged.id, taken: charged });
  t.deepEqual(readEntries(disk.text), []);
  disk.room = Number.POSITIVE_INFINITY;
  await eventually(() => readEntries(disk.text).length > 0);
  t.like(readEntries(disk.text), [{ id: charged.id }]);
  await refunds.close();
  t.is(await units(), 5);
});

test('refunds are not issued if Postgres no longer retains their ids', async (t) => {
  const { ask, units } = await organization();
  const dir = join(journals, 'old');
  const old = new PendingRefunds(new Line(), app.services.logger, () => Date.now() - 8 * 86_400_000, dir);
  const charged = admitted(await ask(newId()));
  await old.add({ id: charged.id, taken: charged });
  const next = new PendingRefunds(app.services.pool, app.services.logger, Date.now, dir);
  await next.recover();
  t.is(next.size, 0);
  await next.close();
  t.is(await units(), 5);
});
