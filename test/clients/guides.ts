import { execFile as execFileWithCallback } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { canMake, clientDocument } from '#clients/release.ts';
import type { RecordedCall } from '#test/recorder.ts';
import { app, keys } from '#test/sample-app.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { recorderOf } from '../site/guides.ts';

const execFile = promisify(execFileWithCallback);
const CLIENTS = join(import.meta.dirname, '..', '..', 'clients');
const DIST = join(CLIENTS, 'dist');

interface Operation {
  operationId: string;
  tags: readonly [string];
  parameters: readonly { name: string; in: 'path' | 'query'; schema: Schema }[];
}
interface Schema {
  type?: string;
  items?: Schema | false;
}

/**
 * A request of the guides as the client sends it. Ids and page cursors from an earlier response are placeholders with the
 * index of the earlier request: `{{id_3}}`, `{{cursor_3}}`.
 */
interface Call {
  at: number;
  method: 'GET' | 'POST';
  template: string;
  operationId: string;
  tag: string;
  as: 'KEY' | 'ADMIN';
  path: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** A response as the client receives it. */
interface Answered {
  status: number;
  data?: unknown;
}

type ExpectedCall = Call & { expected: Answered & { code?: string } };

function compare(t: ExecutionContext, call: Call, expected: Answered, answer: Answered | undefined): void {
  const label = `${call.method} ${call.template} ${JSON.stringify(call.query)}`;
  t.is(answer?.status, expected.status, label);
  // Limits, usage and created resources differ per key.
  const own = call.method === 'POST' || /^\/(limits|exports|organization)|openapi/.test(call.template);
  if (!own) t.deepEqual(lasting(answer?.data), lasting(expected.data), label);
}

/**
 * Returns a response without values that change while the clients run: figures of the last 30 days, and ages of listings in
 * days.
 */
const lasting = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'window' in data
    ? Object.keys(data).sort()
    : data && JSON.parse(JSON.stringify(data, (name, value) => (CHANGING.has(name) ? typeof value : value)));

const CHANGING: ReadonlySet<string> = new Set(['days_on_market', 'computed_at', 'expires_at']);

/** Converts recorded requests to operations with parameter values. */
function callsOf(recorded: readonly RecordedCall[], adminKey: string): ExpectedCall[] {
  const { paths } = clientDocument() as { paths: Record<string, Record<string, Operation>> };
  const templates = Object.keys(paths).map((template) => ({
    template,
    matches: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }));
  const given = new Map<string, string>();
  const named = (text: string): string => given.get(text) ?? text;
  // Calls without a key, with a test key or with one of another plan have other responses than those with the client's key.
  const other = ['Bearer svc_test_', `Bearer ${keys.free}`];
  const repeatable = recorded.filter(
    ({ authorization, status }) => status !== 401 && !other.some((begin) => authorization.startsWith(begin)),
  );
  return repeatable.map(({ method, path, authorization, body, status, answer }, index) => {
    const { pathname, searchParams } = new URL(path, 'http://recorded');
    const asked = pathname.replace(/^\/v1/, '');
    const found = templates
      .filter(({ matches }) => matches.test(asked))
      .sort((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')))[0];
    const operation = found && paths[found.template]?.[method.toLowerCase()];
    if (!found || !operation) throw new Error(`no operation is ${method} ${path}`);
    const typed = (name: string, text: string): unknown =>
      typedValue(named(text), operation.parameters.find((each) => each.name === name)?.schema ?? {});
    const values = (entries: Iterable<readonly [string, string]>) =>
      Object.fromEntries([...entries].map(([name, text]) => [name, typed(name, text)]));
    const parsed = JSON.parse(answer) as {
      data?: { id?: unknown };
      pagination?: { next_cursor?: string | null };
      error?: { code: string };
    };
    const call: ExpectedCall = {
      at: index,
      method: method as Call['method'],
      template: found.template,
      operationId: operation.operationId,
      tag: operation.tags[0],
      as: authorization === `Bearer ${adminKey}` ? 'ADMIN' : 'KEY',
      path: values(Object.entries(found.matches.exec(asked)?.groups ?? {})),
      query: values(searchParams),
      ...(body === '' ? {} : { body: JSON.parse(body) as unknown }),
      expected: { status, data: parsed.data, ...(parsed.error ? { code: parsed.error.code } : {}) },
    };
    if (method === 'POST' && typeof parsed.data?.id === 'string') given.set(parsed.data.id, `{{id_${index}}}`);
    const cursor = parsed.pagination?.next_cursor;
    if (cursor) given.set(cursor, `{{cursor_${index}}}`);
    return call;
  });
}

function typedValue(text: string, { type, items }: Schema): unknown {
  if (text.startsWith('{{')) return text;
  if (type === 'array') return text.split(',').map((part) => typedValue(part, items || {}));
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

const PYTHON = `import datetime, importlib, json, os, re, typing
from property_listings.session import connect

clients = {name: connect(os.environ["API"], os.environ[name]) for name in ("KEY", "ADMIN")}
given = {}

def filled(value, hint):
    if isinstance(value, str):
        value = re.sub(r"^\\{\\{(\\w+)\\}\\}$", lambda known: given[known[1]], value)
        if datetime.datetime in typing.get_args(hint):
            return datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    return value

def body_of(kinds, value):
    # Of several body models, the first that accepts the value.
    for kind in kinds:
        try:
            body = kind.from_dict(value)
            if body.to_dict() == value:
                return body
        except (AttributeError, KeyError, TypeError, ValueError):
            pass
    raise AssertionError(f"no body is {value}")

snake = lambda name: re.sub(r"(?<=[a-z])(?=[A-Z])|[ -]", "_", name).lower()
answers = []
for call in json.load(open("calls.json")):
    module = importlib.import_module(f"property_listings.api.{snake(call['tag'])}.{snake(call['operationId'])}")
    hints = typing.get_type_hints(module.sync_detailed)
    values = {name: filled(value, hints[name]) for name, value in call["query"].items()}
    if "body" in call:
        values["body"] = body_of(typing.get_args(hints["body"]) or (hints["body"],), call["body"])
    path = [filled(value, None) for value in call["path"].values()]
    response = module.sync_detailed(*path, client=clients[call["as"]], **values)
    body = json.loads(response.content)
    assert response.parsed is not None
    data = body.get("data")
    given[f"id_{call['at']}"] = data.get("id") if isinstance(data, dict) else None
    given[f"cursor_{call['at']}"] = (body.get("pagination") or {}).get("next_cursor")
    answers.append({"status": int(response.status_code), **({} if data is None else {"data": data})})
print(json.dumps(answers))
`;

const made = join(DIST, 'openapi.json');
// The client is tested only if it was built from the current OpenAPI document, as `npm run release` does.
const isCurrent =
  canMake().python &&
  existsSync(made) &&
  JSON.stringify(JSON.parse(readFileSync(made, 'utf8'))) === JSON.stringify(clientDocument());

(isCurrent ? test : test.skip)("the Python client reads the same responses as the guides' commands", async (t) => {
  // The generated function does not accept unknown parameters, and the plan does not include off-plan projects.
  const calls = callsOf(recorderOf().calls, keys.admin).filter(
    ({ expected, tag }) => expected.code !== 'unknown_parameter' && tag !== 'Off-plan projects',
  );
  t.true(calls.length > 30);
  const folder = await temporaryFolder(t, DIST);
  await writeFile(join(folder, 'calls.json'), JSON.stringify(calls));
  await writeFile(join(folder, 'run.py'), PYTHON);
  const { stdout } = await execFile(join(CLIENTS, 'tools', '.venv', 'bin', 'python'), ['run.py'], {
    cwd: folder,
    // A key whose rate limit and exports the commands have not used.
    env: {
      ...process.env,
      ...{ API: `${app.url}/v1`, KEY: keys.growth, ADMIN: keys.admin },
      ...{ PYTHONPATH: join(DIST, 'python'), PYTHONDONTWRITEBYTECODE: '1' },
    },
    timeout: 110_000,
    maxBuffer: 50_000_000,
  });
  const answers = JSON.parse(stdout) as Answered[];
  t.is(answers.length, calls.length);
  for (const [index, call] of calls.entries()) compare(t, call, call.expected, answers[index]);
});
