import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { messageOf } from '#domain/message-of.ts';
import { loadSynonyms, synonymsVersion } from '#queries/text/synonyms.ts';
import { listedLines, TEMPLATE_FOLDER } from '#queries/text/word-lists.ts';
import type { Services } from '#src/services.ts';
import { RECORD_SECONDS, recordSearchProcess, removeSearchProcess } from '#stores/postgres/search-processes.ts';
import type { Cleanup } from './cleanup.ts';

/** Milliseconds between checks of the file. Its folder may be a mounted volume, which sends no notifications. */
const CHECK_EVERY = 2_000;

/**
 * Loads `synonyms.txt` whenever it changes, and records the version in use for `reindex -- status`. An invalid file is
 * logged, and the last valid one remains in use.
 */
export async function followSynonyms(
  { pool, logger }: Pick<Services, 'pool' | 'logger'>,
  cleanup: Pick<Cleanup, 'add'>,
  { file = fileURLToPath(new URL('synonyms.txt', TEMPLATE_FOLDER)), checkEvery = CHECK_EVERY } = {},
): Promise<void> {
  const name = `${hostname()}:${process.pid}`;
  let problem: string | null = null;
  const record = (): Promise<void> =>
    recordSearchProcess(pool, { process: name, synonyms: synonymsVersion(), problem }).catch((error: unknown) =>
      logger.warn({ err: error }, 'version of the synonyms not recorded, will retry'),
    );
  const load = async (): Promise<void> => {
    try {
      const content = await readFile(file, 'utf8');
      // An editor empties a file before it writes it.
      if (content === '') throw new Error('The file is empty. To search without synonyms, leave a comment in it.');
      loadSynonyms(listedLines(content).map(({ text }) => text));
      problem = null;
      logger.info({ version: synonymsVersion() }, 'synonyms loaded');
    } catch (error) {
      problem = messageOf(error);
      logger.error(
        { err: error, version: synonymsVersion() },
        'synonyms not loaded, the last valid ones remain in use',
      );
    }
    await record();
  };
  const onChange = (): void => void load();
  watchFile(file, { interval: checkEvery, persistent: false }, onChange);
  const timer = setInterval(() => void record(), 1_000 * RECORD_SECONDS).unref();
  cleanup.add('forgetting the version of the synonyms', async () => {
    unwatchFile(file, onChange);
    clearInterval(timer);
    await removeSearchProcess(pool, name);
  });
  await record();
}
