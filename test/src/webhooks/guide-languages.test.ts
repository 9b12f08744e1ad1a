import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSigned, signatureHeader } from '#src/webhooks/signature-header.ts';
import { testWhere } from '#test/present.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

/** A language of the guide. Its program reads cases, and prints the result of the guide's code for each. */
interface Language {
  name: string;
  fence: string;
  command: readonly [tool: string, ...args: string[]];
  /** Returns the files of the program. @param code the code of the guide */
  files(code: string): Readonly<Record<string, string>>;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'JavaScript',
    fence: 'js',
    command: [process.execPath, 'verify.cjs'],
    files: (code) => ({
      'verify.cjs': `${code}
for (const [header, body, secret, now] of JSON.parse(require('node:fs').readFileSync('cases.json', 'utf8')))
  console.log(verify(header, Buffer.from(body, 'base64'), secret, now) ? 1 : 0);`,
    }),
  },
  {
    name: 'Python',
    fence: 'python',
    command: ['python3', 'verify.py'],
    files: (code) => ({
      'verify.py': `${code}
import base64, json
for header, body, secret, now in json.load(open("cases.json")):
    print(1 if verify(header, base64.b64decode(body), secret, now) else 0)`,
    }),
  },
  {
    name: 'Go',
    fence: 'go',
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
		if Verify(each[0].(string), body, each[2].(string), int64(each[3].(float64))) {
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

/** Header, body, secret, current time of the receiver, and whether the signature is valid. */
const CASES: readonly (readonly [header: string, body: string, secret: string, now: number, isValid: boolean])[] = [
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
];
const EXPECTED = CASES.map(([, , , , isValid]) => isValid);

test('the listen command accepts only valid signatures', (t) =>
  t.deepEqual(
    CASES.map(([header, body, secret, now]) => isSigned(header, Buffer.from(body), [secret], now)),
    EXPECTED,
  ));

for (const { name, fence, command, files } of LANGUAGES) {
  const [tool, ...args] = command;
  const isInstalled = spawnSync('which', [tool], { timeout: 30_000 }).status === 0;
  testWhere(isInstalled)(`the ${name} receiver code in the guide accepts only valid signatures`, async (t) => {
    const guide = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'webhooks.md'), 'utf8');
    const [, code = ''] = new RegExp(`^\`\`\`${fence}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide) ?? [];
    const folder = await temporaryFolder(t);
    const cases = CASES.map(([header, body, ...rest]) => [
      header,
      Buffer.from(body).toString('base64'),
      ...rest.slice(0, 2),
    ]);
    for (const [file, text] of Object.entries({ ...files(code), 'cases.json': JSON.stringify(cases) }))
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
