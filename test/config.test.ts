import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { readConfig } from '#src/config.ts';
import { knownVariables, testEnv } from '#test/env.ts';

const read = (pepper: string) => readConfig({ ...testEnv(), KEY_PEPPER: pepper }).keyPepper;

test('a guessable key pepper is refused with the command that generates a valid one', (t) => {
  for (const pepper of ['x', 'correct horse', 'x'.repeat(31)]) {
    t.throws(() => read(pepper), {
      message: 'KEY_PEPPER must have at least 32 characters. Make one with: openssl rand -hex 32',
    });
  }
  t.is(read('x'.repeat(32)), 'x'.repeat(32));
  t.throws(() => readConfig({ ...testEnv(), KEY_PEPPER: '' }), { message: /KEY_PEPPER is not set/ });
});

test('secrets shorter than 32 characters are refused', (t) => {
  for (const name of ['CURSOR_SECRETS', 'ENCRYPTION_KEYS']) {
    const long = 'x'.repeat(32);
    const readWith = (text: string) => readConfig({ ...testEnv(), [name]: text });
    for (const text of ['a:x', `a:${long},b:secret`, `a:${long.slice(1)}`])
      t.throws(() => readWith(text), { message: `A secret of ${name} must have at least 32 characters.` }, text);
    t.notThrows(() => readWith(`a:${long},b:${long}`));
  }
});

test('a malformed list of encryption keys is refused without revealing a secret', (t) => {
  const secret = 's'.repeat(32);
  const keys = (text: string) => readConfig({ ...testEnv(), ENCRYPTION_KEYS: text }).encryptionKeys;
  t.deepEqual(keys(`b:${secret},a:other-${secret}`), [
    { id: 'b', secret },
    { id: 'a', secret: `other-${secret}` },
  ]);
  t.throws(() => keys(`a:${secret}:${secret}`), {
    message: 'The secret "a" of ENCRYPTION_KEYS must not contain a colon.',
  });
  t.throws(() => keys(secret), { message: 'ENCRYPTION_KEYS must be id:secret,id:secret.' });
});

test('all configuration errors are reported at once with variable, value and accepted range', (t) => {
  const wrong = {
    PORT: 'many',
    TIMEOUT_FACTOR: '21',
    HISTORY_START: '2026-02-30',
    S3_ENDPOINT: '',
    OPENSEARCH_URL: '',
    KEY_PEPPER: 'guess',
  };
  const { message } = t.throws(() =>
    readConfig({ ...testEnv(), ...wrong, SMTP_URL: 'smtps://user:password@mail', MAX_CONNECTIONS: '0' }),
  );
  t.deepEqual(message.split('\n').sort(), [
    'HISTORY_START must be a day, YYYY-MM-DD, not "2026-02-30".',
    'KEY_PEPPER must have at least 32 characters. Make one with: openssl rand -hex 32',
    'MAIL_FROM must be the address that mail is sent from, where SMTP_URL is set.',
    'MAX_CONNECTIONS must be a whole number from 1 to 999999999, not "0".',
    'OPENSEARCH_URL is not set. Run `npm start` for embedded engines, or set it.',
    'PORT must be a whole number from 0 to 65535, not "many".',
    'S3_ENDPOINT is not set. Run `npm start` for embedded engines, or set it.',
    'TIMEOUT_FACTOR must be a whole number from 1 to 20, not "21".',
  ]);
});

test('docs/configuration.md lists exactly the variables that the configuration reads', async (t) => {
  const page = await readFile(join(import.meta.dirname, '..', 'docs', 'configuration.md'), 'utf8');
  const [read = ''] = page.split('Read elsewhere');
  const rows = read.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
  );
  t.deepEqual(named.sort(), [...knownVariables()].sort());
});
