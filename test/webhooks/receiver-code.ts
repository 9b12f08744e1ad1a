import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { inTransaction } from '#postgres/transaction.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { rotateSecret } from '#webhooks/operate.ts';
import { secretEncryption } from '#webhooks/secrets.ts';
import { type Received, startReceiver, startWebhookApp } from './app.ts';

/**
 * A language used in the guide: its code fence, and a program around the code that reads cases and prints the result
 * for each.
 */
interface Language {
  fence: string;
  file: string;
  exported: string;
  main: string;
  program: string;
  command: readonly string[];
}

export const JAVASCRIPT: Language = {
  fence: 'js',
  file: 'verify.cjs',
  exported: 'module.exports = { verify };\n',
  main: 'main.mjs',
  program: `import { readFileSync } from 'node:fs';
import { verify } from ${"'./verify.cjs'"};
for (const [header, body, secret, now] of JSON.parse(readFileSync('cases.json', 'utf8')))
  console.log(verify(header, Buffer.from(body, 'base64'), secret, now) ? 1 : 0);`,
  command: [process.execPath, 'main.mjs'],
};

export const PYTHON: Language = {
  fence: 'python',
  file: 'verify.py',
  exported: '',
  main: 'main.py',
  program: `import base64, json
from verify import verify
for header, body, secret, now in json.load(open("cases.json")):
    print(1 if verify(header, base64.b64decode(body), secret, now) else 0)`,
  command: ['python3', 'main.py'],
};

export const GO: Language = {
  fence: 'go',
  file: 'verify.go',
  exported: '',
  main: 'main.go',
  program: `package main

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
  command: ['go', 'run', 'main.go', 'verify.go'],
};

const SECRET = 'whsec_test';
const BODY = '{"id":"evt_1","city":"الرياض"}';
const NOW = 1_800_000_000;

const signed = (body: string, secret: string, time: number | string): string =>
  createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
const good = signed(BODY, SECRET, NOW);

/** Header, body, secret, current time of the receiver, and whether the signature is valid. */
type Case = readonly [header: string, body: string, secret: string, now: number, isValid: boolean];

const CASES: readonly Case[] = [
  [`t=${NOW},v1=${good}`, BODY, SECRET, NOW, true],
  [`t=${NOW},v1=${good}`, BODY, SECRET, NOW + 300, true],
  [`t=${NOW},v1=${good}`, BODY, SECRET, NOW - 300, true],
  [`t=${NOW},v1=${signed(BODY, 'new', NOW)},v1=${good}`, BODY, SECRET, NOW, true],
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

/** Starts the service and returns cases from a request that it sent during a secret rotation. */
export async function sentCases(name: string): Promise<Case[]> {
  const receiver = await startReceiver();
  const app = await startWebhookApp(name, { privateHosts: [receiver.host] });
  const { id, secret } = await app.subscribe(receiver.url);
  const { pool, random, config } = app.services;
  const encryption = secretEncryption(config.encryptionKeys, random);
  const actor = { type: 'operator', id: 'test', requestId: null } as const;
  const next = await inTransaction(pool, (db) =>
    rotateSecret({ db, random, actor }, encryption, id, { overlapSeconds: 3_600 }),
  );
  app.startWorker();
  await app.owner.post(`/webhooks/${id}/test`);
  await app.until(() => receiver.received.length === 1);
  await app.close();
  await receiver.close();
  const [{ headers, body }] = receiver.received as [Received];
  const header = String(headers['service-signature']);
  const now = Number(/^t=(\d+),/.exec(header)?.[1]);
  return [
    [header, body, next, now, true],
    [header, body, secret, now + 300, true],
    [header, body, `${secret}x`, now, false],
    [header, body.replace('"test":true,', ''), next, now, false],
    [header, body, next, now + 301, false],
  ];
}

/** Checks that the code in the guide distinguishes valid from invalid signatures. */
export async function checkReceiver(
  t: ExecutionContext,
  { fence, file, exported, main, program, command: [tool = '', ...args] }: Language,
  sent: readonly Case[],
): Promise<void> {
  const guide = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'webhooks.md'), 'utf8');
  const [, block] = new RegExp(`^\`\`\`${fence}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide) ?? [];
  const folder = await temporaryFolder(t);
  const cases = [...CASES, ...sent].map(([header, body, ...rest]) => [
    header,
    Buffer.from(body).toString('base64'),
    ...rest.slice(0, 2),
  ]);
  await writeFile(join(folder, file), `${block ?? ''}${exported}`);
  await writeFile(join(folder, main), program);
  await writeFile(join(folder, 'cases.json'), JSON.stringify(cases));
  const { stdout, stderr } = spawnSync(tool, args, { cwd: folder, encoding: 'utf8', timeout: 100_000 });
  t.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => line === '1'),
    [...CASES, ...sent].map((each) => each[4]),
    stderr,
  );
}
