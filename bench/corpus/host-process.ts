// Serves the paged sample feeds from a separate process, like a third-party server.
import { startSampleHost } from '#ingest/sample/host.ts';

process.once('message', async ({ dir }: { dir: string }) => {
  const host = await startSampleHost({ dir, port: 0 });
  process.send?.({ url: host.url });
});
process.on('disconnect', () => process.exit());
