import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { TestFn } from 'ava';

const UPDATE = process.env.UPDATE_GOLDEN === '1';

/** Compares each body with its file in a folder, and the files with the bodies; UPDATE_GOLDEN=1 writes the files. */
export function goldenTests(test: TestFn, folder: URL, bodies: Readonly<Record<string, unknown>>): void {
  test('there is a golden file for every body and none else', (t) => {
    if (UPDATE) mkdirSync(folder, { recursive: true });
    const names = Object.keys(bodies).map((name) => `${name}.json`);
    const found = readdirSync(folder);
    // The tests below write files of new bodies.
    t.deepEqual((UPDATE ? [...new Set([...found, ...names])] : found).sort(), names.sort());
  });

  for (const [name, body] of Object.entries(bodies)) {
    test(`body of ${name}`, (t) => {
      const file = new URL(`${name}.json`, folder);
      if (UPDATE) writeFileSync(file, `${JSON.stringify(body, null, 2)}\n`);
      t.deepEqual(JSON.parse(JSON.stringify(body)), JSON.parse(readFileSync(file, 'utf8')));
    });
  }
}
