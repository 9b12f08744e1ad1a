/// <reference types="node" />
// The site imports types from the filter table, and its own compilation has no Node types.
import { readFileSync } from 'node:fs';
import { foldText } from '#domain/fold.ts';

export const TEMPLATE_FOLDER = new URL('../../index-templates/', import.meta.url);

/** A folded line with its number in the file. */
export interface ListedLine {
  number: number;
  text: string;
}

export const readListedLines = (file: 'words.txt' | 'synonyms.txt'): ListedLine[] =>
  listedLines(readFileSync(new URL(file, TEMPLATE_FOLDER), 'utf8'));

/** Without comments and empty lines. */
export function listedLines(content: string): ListedLine[] {
  return content
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: foldText(line.replace(/#.*/, '').trim()) }))
    .filter(({ text }) => text !== '');
}

export const readWordList = (file: 'words.txt' | 'synonyms.txt'): string[] =>
  readListedLines(file).map(({ text }) => text);
