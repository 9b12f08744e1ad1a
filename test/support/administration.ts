import { randomUUID } from 'node:crypto';
import type { TestApp, TestResponse } from './app.ts';
import { createKey, createOrganization, type OrganizationOptions, type TestOrganization } from './factories.ts';
import { allRows } from './pages.ts';

/** An organization with an admin key, and helpers for the administration API. */
export interface Administered extends TestOrganization {
  admin: string;
  get(path: string): Promise<TestResponse>;
  /** Returns all rows of a list, page by page. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of a response under test
  all(path: string): Promise<any[]>;
  /** @param idempotencyKey defaults to a new key; null sends none */
  post(path: string, body?: unknown, idempotencyKey?: string | null): Promise<TestResponse>;
}

export async function administered(app: TestApp, options: OrganizationOptions = {}): Promise<Administered> {
  const organization = await createOrganization(app.services, options);
  const admin = await createKey(app.services, organization.id, { kind: 'admin' });
  const get = (path: string) => app.request(`/v1/organization${path}`, { key: admin });
  return {
    ...organization,
    admin,
    get,
    all: (path) => allRows(app, `/v1/organization${path}`, admin),
    post: (path, body, idempotencyKey = randomUUID()) =>
      app.request(`/v1/organization${path}`, {
        method: 'POST',
        key: admin,
        headers: idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey },
        json: body,
      }),
  };
}

/** Returns the status and error code of a response. */
export const verdict = ({ status, body }: TestResponse): string =>
  body?.error ? `${status} ${body.error.code}` : String(status);
