/// <reference types="node" />
// The site imports types from the filter table, and its own compilation has no Node types.
import { readFileSync } from 'node:fs';
import { foldText } from '#domain/fold.ts';

export const TEMPLATE_FOLDER = new URL('../../index-templates/', import.meta.url);

/** Returns the lines of a word list in `index-templates`, folded, without comments and empty lines. */
export function readWordList(file: 'words.txt' | 'synonyms.txt', folder: URL = TEMPLATE_FOLDER): string[] {
  return readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean)
    .map(foldText);
}
