import { randomUUID } from 'node:crypto';
import type { TestApp, TestResponse } from './app.ts';
import { createKey, createOrganization, type OrganizationOptions } from './factories.ts';
import { allRows } from './pages.ts';

/** An organization with an admin key, and helpers for the administration API. */
export type Administered = Awaited<ReturnType<typeof administered>>;

export async function administered(app: TestApp, options: OrganizationOptions = {}) {
  const organization = await createOrganization(app.services, options);
  const admin = await createKey(app.services, organization.id, { kind: 'admin' });
  return {
    ...organization,
    admin,
    get: (path: string) => app.request(`/v1/organization${path}`, { key: admin }),
    /** Returns all rows of a list, page by page. */
    all: (path: string) => allRows(app, `/v1/organization${path}`, admin),
    /** @param idempotencyKey defaults to a new key; null sends none */
    post: (path: string, body?: unknown, idempotencyKey: string | null = randomUUID()) =>
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
