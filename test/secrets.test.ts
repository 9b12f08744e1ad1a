import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findKeys, generateKey } from '#src/accounts/keys.ts';
import { newSecret } from '#src/webhooks/secrets.ts';
import { test } from '#test/test.ts';

/** Patterns of secrets with a known format. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  'private key': /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g,
  'AWS access key id': /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g,
  'JSON Web Token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
  'webhook secret': /\bwhsec_[\w+/-]{43}/g,
  'access token of a code host or registry': /\b(?:gh[pousr]_\w{36}|github_pat_\w{60,}|npm_\w{36}|glpat-[\w-]{20})/g,
};
/** A value that is assigned to a name of a secret. */
const ASSIGNMENT =
  /(?:secret|token|password|passwd|pepper|credential|private_?key|api_?key|access_?key)\w*["']?\s*[:=]\s*["'`]?([\w+/=.-]{20,})/gi;
/** Bits per character: random base64 of this length has 4.2 or more, random hexadecimal 3.4, names and words less. */
const LEAST_ENTROPY = { base64: 4, hex: 3 };

/** Returns the kinds of secrets in a text, each with the start of its value. */
function secretsIn(text: string): string[] {
  const found = [
    ...findKeys(text).map((key) => ['API key', key] as const),
    ...Object.entries(FORMATS).flatMap(([kind, pattern]) =>
      [...text.matchAll(pattern)].map(([value]) => [kind, value] as const),
    ),
    ...[...text.matchAll(ASSIGNMENT)]
      .filter(([, value = '']) => isRandom(value))
      .map(([, value = '']) => ['random value of a secret', value] as const),
  ];
  return found.map(([kind, value]) => `${kind}: ${value.slice(0, 12)}…`);
}

function isRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return entropy(value) >= (/^[\da-f]+$/i.test(value) ? LEAST_ENTROPY.hex : LEAST_ENTROPY.base64);
}

/** Returns the Shannon entropy of a text in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

test('no tracked file contains a secret', (t) => {
  const root = join(import.meta.dirname, '..');
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  t.true(files.length > 500);
  const found = files.flatMap((file) => {
    const bytes = readFileSync(join(root, file));
    return secretsIn(bytes.toString('latin1')).map((secret) => `${file}: ${secret}`);
  });
  t.deepEqual(found, []);
});

test('the secret scan finds a planted secret of each kind', (t) => {
  const random = (size: number): string => randomBytes(size).toString('base64url');
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const planted = {
    'API key': `curl -H "Authorization: Bearer ${generateKey('live', randomBytes)}"`,
    'private key': `-----BEGIN ${'PRIVATE'} KEY-----`,
    'AWS access key id': `id = ${['AKIA', 'IOSFODNN7EXAMPLE'].join('')}`,
    'JSON Web Token': `${part({ alg: 'HS256' })}.${part({ sub: '1234567890' })}.${random(32)}`,
    'webhook secret': newSecret(randomBytes),
    'random value of a secret': `KEY_PEPPER=${random(32)}`,
  };
  for (const [kind, text] of Object.entries(planted))
    t.true(
      secretsIn(`first line\n${text}\nlast line`).some((found) => found.startsWith(`${kind}:`)),
      `${kind}: ${text}`,
    );
});
