// An audit that cannot run is skipped with the reason; REQUIRE_AUDIT=1 makes it a failure.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { LOCKED } from './sbom.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const AUDIT_LIMIT = 120_000;
const MAX_REPORT_BYTES = 64 * 1024 * 1024;
/** Others are printed. */
const FAILING: readonly string[] = ['high', 'critical'];

export interface Audit {
  state: 'passed' | 'failed' | 'skipped';
  lines: readonly string[];
}

interface Report {
  vulnerabilities?: Record<string, { severity: string; range: string }>;
  statusCode?: number;
  error?: { code?: string; summary?: string };
}

export async function auditLockFile(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<Audit> {
  const args = ['audit', '--package-lock-only', '--json', '--fetch-retries=0'];
  const output = await new Promise<string>((resolve) => {
    // The exit code is 1 for vulnerabilities and failures alike.
    execFile('npm', args, { cwd: folder, env, timeout: AUDIT_LIMIT, maxBuffer: MAX_REPORT_BYTES }, (_, stdout) =>
      resolve(stdout),
    );
  });
  return judge(output);
}

function judge(output: string): Audit {
  let report: Report;
  try {
    report = JSON.parse(output) as Report;
  } catch {
    return { state: 'skipped', lines: ['npm audit returned no report'] };
  }
  const { vulnerabilities, statusCode, error } = report;
  if (vulnerabilities === undefined) {
    const reason = statusCode === undefined ? (error?.code ?? 'an unknown error') : `HTTP status ${statusCode}`;
    return { state: 'skipped', lines: [`the registry's audit endpoint returned ${reason}`] };
  }
  const found = Object.entries(vulnerabilities);
  return {
    state: found.some(([, { severity }]) => FAILING.includes(severity)) ? 'failed' : 'passed',
    lines: found.map(([name, { severity, range }]) => `${severity}: ${name} ${range}`),
  };
}

if (import.meta.main) {
  const refused = process.env.REQUIRE_AUDIT === '1' ? ['failed', 'skipped'] : ['failed'];
  for (const locked of Object.values(LOCKED)) {
    const { state, lines } = await auditLockFile(join(PROJECT, locked));
    console.log([`${state.toUpperCase()}: ${join(locked, 'package-lock.json')}`, ...lines].join('\n  '));
    if (refused.includes(state)) process.exitCode = 1;
  }
}
