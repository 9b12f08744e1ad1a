import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Test } from './test.ts';

const UPDATE = process.env.UPDATE_GOLDEN === '1';

/**
 * Declares tests that compare each body with a golden file of the same name. With `UPDATE_GOLDEN=1`, the files are
 * written instead.
 */
export function goldenTests(test: Test, folder: URL, bodies: Readonly<Record<string, unknown>>): void {
  test('every body has a golden file, and there are no other golden files', (t) => {
    if (UPDATE) mkdirSync(folder, { recursive: true });
    const names = Object.keys(bodies).map((name) => `${name}.json`);
    const found = readdirSync(folder);
    // In update mode, the tests below write the files for new bodies.
    t.deepEqual((UPDATE ? [...new Set([...found, ...names])] : found).sort(), names.sort());
  });

  for (const [name, body] of Object.entries(bodies)) {
    test(`the body of ${name} equals its golden file`, (t) => {
      const file = new URL(`${name}.json`, folder);
      if (UPDATE) writeFileSync(file, `${JSON.stringify(body, null, 2)}\n`);
      t.deepEqual(JSON.parse(JSON.stringify(body)), JSON.parse(readFileSync(file, 'utf8')));
    });
  }
}
