import { SingleBar } from 'cli-progress';
import { generateSample } from '#ingest/sample/generate.ts';
import { parseArgs } from '#ingest/sample/options.ts';

const options = parseArgs(process.argv, new Date());
const bar = process.stderr.isTTY
  ? new SingleBar({ format: 'ads {bar} {percentage}% | {value} of {total} | {eta} s left', stream: process.stderr })
  : null;
const started = performance.now();
try {
  const summary = await generateSample(options, (done, total) => {
    if (bar === null) return;
    if (bar.isActive) bar.update(done);
    else bar.start(total, done);
  });
  bar?.stop();
  const seconds = (performance.now() - started) / 1000;
  const rows = summary.feeds.reduce(
    (sum, feed) => sum + Object.values(feed.days).reduce((inner, day) => inner + day.rows, 0),
    0,
  );
  process.stdout.write(
    `${summary.live} ads live on ${summary.days.at(-1)} (${summary.ads} ads of ${summary.properties} properties, ` +
      `${rows} rows in ${summary.days.length} days of ${summary.feeds.length} sources) in ${summary.dir}, ${seconds.toFixed(1)} s\n`,
  );
} catch (error) {
  bar?.stop();
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
