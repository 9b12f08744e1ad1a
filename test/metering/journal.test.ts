import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { Journal, readEntries } from '#metering/refund-journal.ts';
import { FullDisk } from '#test/full-disk.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const dir = folderOfFile();

test('journal entries appended after `clear` was called are retained', async (t) => {
  const journal = new Journal<number>(join(dir, 'clear'));
  await Promise.all([journal.append(1), journal.clear(), journal.append(2)]);
  const { entries } = await new Journal<number>(join(dir, 'clear')).takeOverFiles();
  t.deepEqual(entries, [2]);
});

test('a journal entry written after a truncated entry is readable', async (t) => {
  const disk = new FullDisk();
  const journal = new Journal<string>(dir, disk);
  disk.room = 10;
  await journal.append('one');
  await t.throwsAsync(journal.append('two'), { code: 'ENOSPC' });
  disk.room = 100;
  await journal.append('three');
  t.deepEqual(readEntries(disk.text), ['one', 'three']);
});

test('the journal of a killed process contains every entry that was confirmed and not cleared', (t) => {
  const command = fc.oneof(
    { weight: 4, arbitrary: fc.constant('append' as const) },
    fc.constant('clear' as const),
    fc.constant('step' as const),
    fc.record({ room: fc.nat(12) }),
  );
  return t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(command, { maxLength: 25, size: 'max' }),
        async (scheduler, commands) => {
          const disk = new FullDisk();
          disk.step = () => scheduler.schedule(Promise.resolve());
          const journal = new Journal<number>(dir, disk);
          let appended = 0;
          let needed: number[] = [];
          /** The first entry that was not removed by a completed `clear`. */
          let kept = 0;
          const killHere = (): void => {
            const found = readEntries<number>(disk.text);
            for (const entry of needed) if (!found.includes(entry)) throw new Error(`${entry} is lost`);
            for (const entry of found)
              if (entry < kept || entry >= appended) throw new Error(`unexpected entry ${entry}`);
          };
          const underWay: Promise<void>[] = [];
          let clears = 0;
          for (const each of commands) {
            if (each === 'append') {
              const entry = appended++;
              const clearsBefore = clears;
              const written = journal.append(entry).then(() => {
                if (clears === clearsBefore) needed.push(entry);
              });
              underWay.push(written.catch(() => {}));
            } else if (each === 'clear') {
              clears++;
              needed = [];
              const first = appended;
              underWay.push(
                journal.clear().then(() => {
                  kept = first;
                }),
              );
            } else if (each === 'step') {
              if (scheduler.count() > 0) await scheduler.waitOne();
            } else disk.room = each.room;
            killHere();
          }
          await scheduler.waitFor(Promise.all(underWay));
          killHere();
          // When space is available again, earlier failures do not prevent writes.
          disk.room = Number.POSITIVE_INFINITY;
          const last = appended++;
          await scheduler.waitFor(journal.append(last));
          needed.push(last);
          killHere();
        },
      ),
      { numRuns: 300 },
    ),
  );
});

test('a starting process finds all journal entries on disk, even while other processes start and write', async (t) => {
  let folder = 0;
  const command = fc.oneof(
    { weight: 3, arbitrary: fc.record({ append: fc.nat(3), wait: fc.boolean() }) },
    fc.record({ start: fc.nat(3), wait: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 15 }), async (commands) => {
      const shared = join(dir, String(folder++));
      const journals = Array.from({ length: 4 }, () => new Journal<number>(shared));
      let appended = 0;
      const underWay: Promise<void>[] = [];
      const start = async (journal: Journal<number> | undefined): Promise<void> => {
        const { entries, remove } = (await journal?.takeOverFiles()) ?? { entries: [], remove: async () => {} };
        await Promise.all(entries.map((entry) => journal?.append(entry)));
        await remove();
      };
      for (const each of commands) {
        const done =
          'start' in each
            ? start(journals[each.start])
            : (journals[each.append]?.append(appended++) ?? Promise.resolve());
        underWay.push(done);
        if (each.wait) await done;
      }
      await Promise.all(underWay);
      const { entries } = await new Journal<number>(shared).takeOverFiles();
      const found = new Set(entries);
      for (let entry = 0; entry < appended; entry++) if (!found.has(entry)) throw new Error(`${entry} is lost`);
      await Promise.all(journals.map((journal) => journal.close({ remove: true })));
    }),
    { numRuns: 40 },
  );
  t.true((await readdir(dir)).length > 0);
});
