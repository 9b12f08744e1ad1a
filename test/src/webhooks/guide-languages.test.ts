import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newSecret } from '#src/webhooks/secrets.ts';
import { sendMessage } from '#src/webhooks/send-delivery.ts';
import { isSigned, signatureHeader } from '#src/webhooks/signature-header.ts';
import { createOutboundClient } from '#stores/outbound/outbound-client.ts';
import { testWhere } from '#test/present.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { startReceiver } from './app.ts';

/** A language of the receiver code. Its program reads cases, and prints the result of the code for each. */
interface Language {
  name: string;
  /** The function in a document or in a source file. */
  verify: RegExp;
  /** The call in it that compares signatures. */
  comparison: string;
  /** What the code of the function needs before it. */
  prelude: string;
  command: readonly [tool: string, ...args: string[]];
  /** Returns the files of the program. */
  files(code: string): Readonly<Record<string, string>>;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'JavaScript',
    verify: /^function verify\([\s\S]*?^}$/gm,
    comparison: 'timingSafeEqual(',
    prelude: "const { createHmac, timingSafeEqual } = require('node:crypto');",
    command: [process.execPath, 'verify.cjs'],
    files: (code) => ({
      'verify.cjs': `${code}
for (const [header, body, secret, now] of JSON.parse(require('node:fs').readFileSync('cases.json', 'utf8')))
  console.log(verify(header === null ? undefined : header, Buffer.from(body, 'base64'), secret, now) ? 1 : 0);
for (const header of [null, [], {}, 7, Symbol('x')]) if (verify(header, '', 'x')) console.log('accepted');`,
    }),
  },
  {
    name: 'Python',
    verify: /^def verify\(.*\n(?: .*\n|\n)+/gm,
    comparison: 'compare_digest(',
    prelude: 'import hashlib, hmac, re, time\n',
    command: ['python3', 'verify.py'],
    files: (code) => ({
      'verify.py': `${code}
import base64, json
for header, body, secret, now in json.load(open("cases.json")):
    print(1 if verify(header, base64.b64decode(body), secret, now) else 0)
for header in [b"t=1,v1=00", 7, [], {}, "t=1,v1=\\udcff", f"t={int(time.time())},v1=\\udcff"]:
    if verify(header, b"", "x"):
        print("accepted")`,
    }),
  },
  {
    name: 'Go',
    verify: /^func Verify\([\s\S]*?^}$/gm,
    comparison: 'hmac.Equal(',
    prelude: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)
`,
    command: ['go', 'run', 'main.go', 'verify.go'],
    files: (code) => ({
      'verify.go': code,
      'main.go': `package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	text, _ := os.ReadFile("cases.json")
	var cases [][4]any
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	for _, each := range cases {
		body, _ := base64.StdEncoding.DecodeString(each[1].(string))
		header, _ := each[0].(string)
		if Verify(header, body, each[2].(string), int64(each[3].(float64))) {
			fmt.Println(1)
		} else {
			fmt.Println(0)
		}
	}
}`,
    }),
  },
];

const SECRET = 'whsec_test';
const BODY = '{"id":"evt_1","city":"الرياض"}';
const NOW = 1_800_000_000;

const signed = (body: string, secret: string, time: number | string): string =>
  createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
const good = signed(BODY, SECRET, NOW);

/** Header (null: none), body, secret, current time of the receiver, and whether the signature is valid. */
const CASES: readonly (readonly [
  header: string | null,
  body: string,
  secret: string,
  now: number,
  isValid: boolean,
])[] = [
  [signatureHeader(BODY, [SECRET], NOW), BODY, SECRET, NOW, true],
  [signatureHeader(BODY, ['new', SECRET], NOW), BODY, SECRET, NOW, true],
  [signatureHeader(BODY, ['new', SECRET], NOW), BODY, 'new', NOW, true],
  [`t=${NOW},v1=${good}`, BODY, SECRET, NOW + 300, true],
  [`t=${NOW},v1=${good}`, BODY, SECRET, NOW - 300, true],
  [`t=${NOW},v1=${good}`, BODY, SECRET, NOW + 301, false],
  [`t=${NOW},v1=${good}`, BODY, SECRET, NOW - 301, false],
  [`t=${NOW},v1=${good}`, `${BODY} `, SECRET, NOW, false],
  [`t=${NOW},v1=${good}`, BODY, 'other', NOW, false],
  [`t=${NOW + 1},v1=${good}`, BODY, SECRET, NOW, false],
  [`t=${NOW},v1=${good.slice(2)}`, BODY, SECRET, NOW, false],
  [`t=${NOW},v2=${good}`, BODY, SECRET, NOW, false],
  [`t=${NOW},v1=`, BODY, SECRET, NOW, false],
  [`t=soon,v1=${signed(BODY, SECRET, 'soon')}`, BODY, SECRET, NOW, false],
  [`v1=${good}`, BODY, SECRET, NOW, false],
  ['', BODY, SECRET, NOW, false],
  ['nonsense', BODY, SECRET, NOW, false],
  [null, BODY, SECRET, NOW, false],
  ['t', BODY, SECRET, NOW, false],
  ['=,=', BODY, SECRET, NOW, false],
  ['t=,v1=', BODY, SECRET, NOW, false],
  [`t=-${NOW},v1=${good}`, BODY, SECRET, NOW, false],
  [`t=${NOW}.5,v1=${good}`, BODY, SECRET, NOW, false],
  [`t=1e999,v1=${good}`, BODY, SECRET, NOW, false],
  [`t=${'9'.repeat(6_000)},v1=${good}`, BODY, SECRET, NOW, false],
  [`t=٢٣,v1=${good}`, BODY, SECRET, NOW, false],
  [`t=${NOW},v1=${'é'.repeat(32)}`, BODY, SECRET, NOW, false],
  [`t=${NOW},v1=zz,v1`, BODY, SECRET, NOW, false],
  [`${','.repeat(5_000)}t=${NOW}`, BODY, SECRET, NOW, false],
];
const EXPECTED = CASES.map(([, , , , isValid]) => isValid);

test('the listen command accepts only valid signatures', (t) =>
  t.deepEqual(
    CASES.map(([header, body, secret, now]) => isSigned(header ?? '', Buffer.from(body), [secret], now)),
    EXPECTED,
  ));

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Documents, guides, texts of the site, and clients. */
const TEXTS = execFileSync('git', ['ls-files', '-z', '*.md', 'site', 'clients', 'sample'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => /\.(md|[cm]?[jt]sx?|py|go|json)$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

for (const { name, verify, comparison, prelude, command, files } of LANGUAGES) {
  const [tool, ...args] = command;
  const copies = TEXTS.flatMap(({ file, text }) =>
    [...text.matchAll(verify)].map(([found]) => ({ file, code: found.trimEnd() })),
  );
  const [{ code } = { code: '' }] = copies;
  test(`all receiver code in ${name} that compares signatures is the same function`, (t) => {
    t.true(copies.some(({ file }) => file === 'docs/webhooks.md'));
    for (const { file, code: each } of copies) t.is(each, code, file);
    for (const { file, text } of TEXTS)
      t.is(text.split(comparison).length - 1, copies.filter((copy) => copy.file === file).length, file);
  });

  const isInstalled = spawnSync('which', [tool], { timeout: 30_000 }).status === 0;
  testWhere(isInstalled)(`the receiver code in ${name} accepts only valid signatures, and never throws`, async (t) => {
    const folder = await temporaryFolder(t);
    const cases = CASES.map(([header, body, ...rest]) => [
      header,
      Buffer.from(body).toString('base64'),
      ...rest.slice(0, 2),
    ]);
    const program = files(`${prelude}\n${code}\n`);
    for (const [file, text] of Object.entries({ ...program, 'cases.json': JSON.stringify(cases) }))
      await writeFile(join(folder, file), text);
    const { stdout, stderr } = spawnSync(tool, args, { cwd: folder, encoding: 'utf8', timeout: 100_000 });
    const printed = stdout.trim().split('\n');
    t.deepEqual(
      printed.map((line) => line === '1'),
      EXPECTED,
      stderr,
    );
  });
}

/** Verifies a delivery with the package `standardwebhooks`: prints `valid`, or the name of the error. */
const STANDARD: readonly { tool: string; install: readonly string[]; file: string; program: string }[] = [
  {
    tool: 'npm',
    install: ['install', '--no-audit', '--no-fund', '--loglevel=error', 'standardwebhooks@1.1.1'],
    file: 'verify.cjs',
    program: `const { Webhook } = require('standardwebhooks');
const { secret, body, headers } = JSON.parse(require('node:fs').readFileSync('delivery.json', 'utf8'));
for (const text of [body, body + ' ']) {
  try {
    new Webhook(secret).verify(text, headers);
    console.log('valid');
  } catch (error) {
    console.log(error.name);
  }
}`,
  },
  {
    tool: 'python3',
    install: ['-m', 'pip', 'install', '--quiet', '--target', '.', 'standardwebhooks==1.1.0'],
    file: 'verify.py',
    program: `import json
from standardwebhooks.webhooks import Webhook
delivery = json.load(open("delivery.json"))
for text in [delivery["body"], delivery["body"] + " "]:
    try:
        Webhook(delivery["secret"]).verify(text, delivery["headers"])
        print("valid")
    except Exception as error:
        print(type(error).__name__)`,
  },
];

for (const { tool, install, file, program } of STANDARD) {
  const isInstalled = spawnSync(tool, ['--version'], { timeout: 30_000 }).status === 0;
  testWhere(isInstalled)(`the package standardwebhooks verifies a delivery in ${file}`, async (t) => {
    t.timeout(300_000);
    const folder = await temporaryFolder(t);
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const installed = spawnSync(tool, install, { cwd: folder, encoding: 'utf8', timeout: 240_000 });
    t.is(installed.status, 0, installed.stderr);
    const receiver = await startReceiver();
    t.teardown(receiver.close);
    const client = createOutboundClient({ privateHosts: [receiver.host] });
    t.teardown(client.close);
    const [previous, secret] = [newSecret(randomBytes), newSecret(randomBytes)];
    const message = { url: receiver.url, eventId: 'evt_1', eventType: 'listing.created', attempt: 1, body: BODY };
    const sent = await sendMessage(client, { ...message, secrets: [secret, previous] }, Date.now());
    t.true(sent.accepted, String(sent.error));
    const [delivery] = receiver.received;
    await writeFile(join(folder, file), program);
    for (const each of [secret, previous]) {
      await writeFile(join(folder, 'delivery.json'), JSON.stringify({ ...delivery, secret: each }));
      const run = spawnSync(tool === 'npm' ? process.execPath : tool, [file], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 60_000,
      });
      t.deepEqual(run.stdout.trim().split('\n'), ['valid', 'WebhookVerificationError'], run.stderr);
    }
  });
}
