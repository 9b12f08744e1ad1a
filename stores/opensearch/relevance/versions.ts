import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ListedLine, listedLines, TEMPLATE_FOLDER } from '#queries/text/word-lists.ts';
import type { OpenSearch } from '../opensearch-client.ts';
import { expandAnalysis } from '../templates.ts';

/** The files that decide which texts a query finds, of one version. */
export interface TextVersion {
  name: string;
  synonyms: readonly ListedLine[];
  words: readonly ListedLine[];
  /** Settings of an index with the analyzers. */
  settings: object;
}

/** The version that is not a commit. */
export const WORKING_TREE = 'working tree';
const SERVING = 'serving';
const FOLDER = fileURLToPath(TEMPLATE_FOLDER);

/**
 * @param name `working tree`, a commit, or `serving` for the analyzers of the serving index with the synonyms on disk
 * @throws Error if the commit or the index does not exist
 */
export async function readVersion(client: OpenSearch, name: string): Promise<TextVersion> {
  const commit = name === WORKING_TREE || name === SERVING ? null : name;
  const read = (file: string): Promise<string> =>
    commit === null ? readFile(join(FOLDER, file), 'utf8') : readCommitted(commit, file);
  const [synonyms, words] = (await Promise.all([read('synonyms.txt'), read('words.txt')])).map(listedLines) as [
    ListedLine[],
    ListedLine[],
  ];
  const settings = name === SERVING ? await servingAnalysis(client) : analysisOf(await read('analysis.json'), words);
  return { name, synonyms, words, settings };
}

function analysisOf(text: string, words: readonly ListedLine[]): object {
  const { template } = expandAnalysis(
    JSON.parse(text),
    words.map((line) => line.text),
  ) as { template: { settings: object } };
  return template.settings;
}

async function servingAnalysis(client: OpenSearch): Promise<object> {
  type Settings = Record<string, { settings: { index: { analysis: object } } }>;
  const query = { filter_path: '*.settings.index.analysis' };
  const found = await client.send<Settings>('GET', `/${client.aliases.listings}/_settings`, { query });
  const [serving] = Object.values(found);
  if (serving === undefined) throw new Error('There is no serving index of the listings.');
  return { analysis: serving.settings.index.analysis };
}

const GIT_TIMEOUT_MS = 10_000;
const MAX_FILE_BYTES = 10_000_000;
const run = promisify(execFile);

async function readCommitted(commit: string, file: string): Promise<string> {
  try {
    const options = { cwd: FOLDER, timeout: GIT_TIMEOUT_MS, maxBuffer: MAX_FILE_BYTES };
    return (await run('git', ['show', '--end-of-options', `${commit}:./${file}`], options)).stdout;
  } catch (error) {
    throw new Error(`${commit}: git has no index-templates/${file} of it. Accepted: a commit, or \`${SERVING}\`.`, {
      cause: error,
    });
  }
}
