// Compares many ads for one kind of home in one neighborhood, like a mass posting, in a separate process.
import { AdSet } from '#ingest/identity/ads.ts';
import { findDuplicates } from '#ingest/identity/cluster.ts';
import { textSignature } from '#ingest/normalize/signature.ts';
import { Random } from '#ingest/sample/random.ts';

function compare(ads: number): void {
  const random = new Random(1, 0);
  const set = new AdSet();
  for (let id = 1; id <= ads; id++)
    set.add(
      {
        id,
        source: id % 16,
        type: 0,
        neighborhood: 1001,
        bedrooms: 3,
        bathrooms: 3,
        livings: 1,
        age: 0,
        floor: null,
        unit: null,
        area: 140 + random.int(0, 3),
        price: 60_000 + 500 * random.int(0, 2),
        textArea: Number.NaN,
        plotArea: Number.NaN,
        streetWidth: Number.NaN,
        payments: 1,
        previousPrice: Number.NaN,
        lat: 24.8 + random.next() / 1_000,
        lng: 46.6 + random.next() / 1_000,
        advertiser: `a${random.int(1, 40)}`,
        servable: true,
        leader: id,
      },
      [`${random.int(1, 6_000)}`, `${random.int(1, 6_000)}`],
      textSignature(`شقة فاخرة للإيجار في حي النرجس ثلاث غرف وصالة ${random.int(1, 5_000)}`),
    );
  findDuplicates(set);
}

process.once('message', ({ ads }: { ads: number }) => {
  const begun = performance.now();
  compare(ads);
  // `maxRSS` is in kilobytes and includes the Node runtime.
  process.send?.({ seconds: (performance.now() - begun) / 1000, peak_rss_mb: process.resourceUsage().maxRSS / 1024 });
  process.disconnect();
});
// Also exits when the parent process is killed.
process.on('disconnect', () => process.exit());
