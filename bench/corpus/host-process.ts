// Serves the paged sample feeds from a separate process, like a third-party server. Sends its address when it is ready.
import { startSampleHost } from '#sample/host.ts';

const host = await startSampleHost({ dir: process.env.SAMPLE_DIR ?? '', port: 0 });
process.on('disconnect', () => process.exit());
process.send?.(host.url);
