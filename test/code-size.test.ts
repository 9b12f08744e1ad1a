import { join } from 'node:path';
import { isClassLikeDeclaration, isFunctionLikeDeclaration, type Node, type SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { test } from '#test/test.ts';
import { FLOORS } from './imports.ts';

const PROJECT = join(import.meta.dirname, '..');
const CONFIGS = ['tsconfig.json', 'site/tsconfig.json'];
const MAX_LINES = { function: 80, class: 300, file: 350 };

/** Returns the source files of the floors, by path in the project. */
function parseSources(api: API): Map<string, SourceFile> {
  const sources = new Map<string, SourceFile>();
  const snapshot = api.updateSnapshot({ openProjects: CONFIGS.map((config) => join(PROJECT, config)) });
  for (const { program } of snapshot.getProjects())
    for (const name of program.getSourceFileNames()) {
      const path = name.startsWith(`${PROJECT}/`) ? name.slice(PROJECT.length + 1) : '';
      const source = /\.tsx?$/.test(path) && Object.hasOwn(FLOORS, path.split('/')[0] ?? '');
      const parsed = source && !sources.has(path) ? program.getSourceFile(name) : undefined;
      if (parsed) sources.set(path, parsed);
    }
  return sources;
}

/** Returns a description of each part of a file that has too many lines. */
function findTooLong(path: string, file: SourceFile): string[] {
  const found: string[] = [];
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const check = (kind: keyof typeof MAX_LINES, node: Node): void => {
    const first = kind === 'file' ? 0 : lineOf(node.getStart(file));
    const lines = lineOf(node.end) - first + (kind === 'file' ? 0 : 1);
    if (lines > MAX_LINES[kind]) found.push(`${path}:${first + 1}: ${kind} of ${lines} lines`);
  };
  const visit = (node: Node): void => {
    if (isFunctionLikeDeclaration(node)) check('function', node);
    if (isClassLikeDeclaration(node)) check('class', node);
    node.forEachChild(visit);
  };
  check('file', file);
  visit(file);
  return found;
}

test('functions, classes and files of the floors are short enough to read', (t) => {
  const api = new API({ cwd: PROJECT });
  try {
    const sources = parseSources(api);
    t.true(sources.size > 400, `${sources.size} files`);
    t.deepEqual(
      [...sources].flatMap(([path, file]) => findTooLong(path, file)),
      [],
    );
  } finally {
    api.close();
  }
});
