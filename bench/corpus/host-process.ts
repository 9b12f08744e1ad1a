// Serves the paged feeds of a sample from a process of its own, as other people's servers would.
import { startSampleHost } from '#ingest/sample/host.ts';

process.once('message', async ({ dir }: { dir: string }) => {
  const host = await startSampleHost({ dir, port: 0 });
  process.send?.({ url: host.url });
});
process.on('disconnect', () => process.exit());
