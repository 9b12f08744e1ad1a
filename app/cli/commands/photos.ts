import type { Command } from 'commander';
import type { Ingest } from '#app/workers/open-ingest.ts';
import type { VerifyProgress } from '#ingest/photos/verify.ts';
import { commandsWith, screenOf, stopSignal } from '../command.ts';
import { printOne } from '../output.ts';
import { withIngest } from './ingest.ts';

interface Flags {
  repair?: boolean;
  confirmLoss?: boolean;
  sample?: boolean;
}

export const HELP = `Examples:
  npm run cli -- photos verify                           look up every photo of live listings and projects
  npm run cli -- photos verify --sample                  a sample, as the daily job does
  npm run cli -- photos verify --repair                  fetch lost photos again from their sources
  npm run cli -- photos verify --repair --confirm-loss   also when more than 1% are missing

Listings stay served while photos are missing. The command ends with 1 while photos are missing.`;

export function addCommands(group: Command): void {
  const add = commandsWith<Ingest>(group, withIngest);

  add(
    'verify',
    'Look up photos in the CDN bucket. Only keys that the bucket confirms as missing count.',
    async (ingest, flags) => {
      const { sample, repair = false, confirmLoss = false } = flags as Flags;
      const bar = screenOf(flags).progress('Looking up photos', 1);
      const onProgress = ({ stage, done, total }: VerifyProgress) => bar.update(done / Math.max(total, 1), stage);
      const report = await ingest
        .verifyPhotos({ scope: sample ? 'sample' : 'all', repair, confirmLoss }, { signal: stopSignal(), onProgress })
        .finally(bar.end);
      printOne(report, flags);
      const { missing, held, restored, replaced, failed } = report;
      const left = Object.values(failed).reduce((sum, count) => sum + count, 0);
      const isRepaired = repair && (!held || confirmLoss) && left === 0;
      if (missing > 0 && !isRepaired) process.exitCode = 1;
      if (flags.json) return;
      if (held && !confirmLoss)
        console.log(
          'Held: more than 1% are missing. Check CDN_BUCKET and S3_ENDPOINT; if the bucket is the right one, add --repair --confirm-loss.',
        );
      else if (missing > 0 && !repair) console.log('Fetch them again with --repair.');
      if (replaced > 0) console.log('Photos that were replaced at their source are shown by the next ingest run.');
      if (restored > 0 && left === 0) console.log('All lost photos are stored again.');
    },
  )
    .option('--repair', 'fetch lost photos again')
    .option('--confirm-loss', 'repair even if more than 1% are missing: the bucket is the right one')
    .option('--sample', 'check a sample instead of all');
}
