import {
  arrayOf,
  boolean,
  component,
  nullable,
  object,
  oneOf,
  single,
  string,
  timestamp,
} from '#domain/json-schema.ts';
import { changeKey, memberOfKey } from '#src/accounts/change-key.ts';
import { createKey, KEYS, revokeKey, rotateKey } from '#src/accounts/key-store.ts';
import { KEY_KINDS, SECRET_KINDS } from '#src/accounts/keys.ts';
import { NAME_SCHEMA } from '#src/accounts/names.ts';
import { requirePermission, roleOfKey } from '#src/accounts/roles.ts';
import { SCOPES } from '#src/accounts/scopes.ts';
import { type Call, changeOf, createdResponse, dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { idParameter, newestFirst, presentRow } from '../records.ts';
import {
  ADMINISTRATION,
  bodyOf,
  bodyRequiring,
  graceSeconds,
  NO_OPTIONS,
  requireChange,
  requireRecentSignIn,
} from './common.ts';

const KEY = component(
  'ApiKey',
  object({
    id: string,
    name: string,
    kind: oneOf(KEY_KINDS),
    status: oneOf(component('KeyStatus', ['active', 'expired', 'revoked'])),
    last_four: string,
    project_id: nullable(string),
    member_id: nullable(string),
    scopes: nullable(arrayOf(oneOf(SCOPES))),
    created_at: timestamp,
    expires_at: nullable(timestamp),
    revoked_at: nullable(timestamp),
    last_used_at: nullable(timestamp),
    must_rotate: boolean,
  }),
);

interface KeyPath {
  readonly key_id: string;
}

const NEW_KEY = component('NewApiKey', object({ ...KEY.properties, secret: string }));

const listKeysEndpoint = defineEndpoint({
  path: '/v1/organization/keys',
  operationId: 'listKeys',
  ...ADMINISTRATION,
  summary: 'List keys',
  description:
    'Returns the keys of the organization, newest first, without their secrets. `must_rotate` marks a key that was sent in a URL.',
  ...newestFirst(
    'keys',
    KEY,
    () => KEYS,
    (record) => presentRow(KEY, record),
  ),
});

const SETTINGS = {
  project_id: { type: ['string', 'null'], maxLength: 60 },
  member_id: {
    type: ['string', 'null'],
    maxLength: 60,
    description: 'Member to whom the key belongs, for usage by member; null for none.',
  },
  scopes: {
    type: ['array', 'null'],
    items: { type: 'string', enum: SCOPES },
    minItems: 1,
    uniqueItems: true,
    description: 'Scopes that the key is limited to; null or absent for all scopes of the plan.',
  },
  expires_at: { type: ['string', 'null'], format: 'timestamp', description: 'ISO 8601 date-time with seconds.' },
} as const;

/** @throws ApiError invalid_value */
function requireExpiry(text: string | null, now: number): Date | null {
  const expires = text === null ? null : new Date(text);
  if (expires && expires.getTime() <= now)
    throw new ApiError('invalid_value', { param: 'expires_at', message: '`expires_at` must be in the future.' });
  return expires;
}

const createKeyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/keys',
  operationId: 'createKey',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Create a key',
  description:
    'Creates a data key or a test key. `secret` is returned only in this response. Send an `Idempotency-Key`, so that a retry does not create a second key. To limit the units of a key, create it in a project with a monthly cap. Without `member_id`, the key belongs to the member whose admin key creates it. Owners create admin keys in the console.',
  bodySchema: bodyRequiring(['name'], {
    name: NAME_SCHEMA,
    kind: {
      type: 'string',
      enum: SECRET_KINDS,
      default: 'live',
      description:
        'Creating an admin key returns 403 `forbidden_action`, except in the console by an owner who has just signed in.',
    },
    ...SETTINGS,
  }),
  successStatus: 201,
  response: single(NEW_KEY),
  errors: ['forbidden_action', 'not_found', 'scope_not_in_plan', 'key_limit', 'name_taken', 'rate_limited'],
  authorize: async (call) => {
    const { db, body, caller } = call;
    if (body.kind !== 'admin') return;
    if (caller.kind !== 'console')
      throw new ApiError('forbidden_action', {
        param: 'kind',
        message: 'Owners create admin keys in the console, not with another admin key.',
      });
    await requirePermission(db, caller.key_id, 'own');
    requireRecentSignIn(call);
  },
  handle: async (call) => {
    const { body, db, services, caller } = call;
    const expires = requireExpiry(body.expires_at ?? null, services.clock.now());
    const { record, secret } = await createKey(changeOf(call), services.config.keyPepper, caller.organization_id, {
      name: body.name.trim(),
      kind: body.kind ?? 'live',
      project_id: body.project_id ?? null,
      // An admin key without a member has all permissions.
      member:
        body.member_id === undefined || body.kind === 'admin'
          ? (body.member_id ?? (await memberOfKey(db, caller.key_id)))
          : body.member_id,
      scopes: body.scopes ? [...body.scopes] : null,
      expires_at: expires,
    });
    return createdResponse({ ...presentRow(KEY, record), secret });
  },
});

/** @throws RequestError forbidden_action for an admin key with more permissions than the caller's */
async function requireRankOverKey({ db, caller, path }: { db: Queryable; caller: Call['caller']; path: KeyPath }) {
  const role = await roleOfKey(db, caller.organization_id, path.key_id);
  if (role !== null) await requirePermission(db, caller.key_id, 'develop', role);
}

const updateKeyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/keys/{key_id}',
  operationId: 'updateKey',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Change a key',
  description:
    'Changes the name, project, member, scopes or expiry of an active key, within a second. Fields that are left out keep their values; the secret does not change. Of an admin key, only name and expiry can be changed. A key that was rotated, or has no secret, is not changed: 409 `conflict`.',
  pathParameters: [idParameter('key_id', 'Id of the key.', 'key_0f3a')],
  bodySchema: bodyOf({ name: NAME_SCHEMA, ...SETTINGS }),
  response: single(KEY),
  errors: ['not_found', 'conflict', 'invalid_value', 'scope_not_in_plan', 'name_taken'],
  authorize: requireRankOverKey,
  handle: async (call) => {
    const { body, services, caller, path } = call;
    const { expires_at: expiry, name, ...settings } = body;
    const record = await changeKey(changeOf(call), caller.organization_id, path.key_id, {
      ...settings,
      name: name?.trim(),
      expires_at: expiry === undefined ? undefined : requireExpiry(expiry, services.clock.now()),
    });
    requireChange(body);
    return dataResponse(presentRow(KEY, record));
  },
});

/** Within it, a key can repeat its rotation if it has not received the response. */
const MIN_OWN_GRACE_S = 60;

const rotateKeyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/keys/{key_id}/rotate',
  operationId: 'rotateKey',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Rotate a key',
  description:
    'Creates a key with the name, project, scopes and expiry of an active key, which works until the grace period ends. A key cannot be rotated while the one that it replaces still works: 409 `conflict`. `secret` is returned only in this response. Send an `Idempotency-Key`, so that a retry returns the same key. An admin key can rotate data keys and itself.',
  pathParameters: [idParameter('key_id', 'Id of the key.', 'key_0f3a')],
  bodySchema: bodyOf({
    grace_seconds: graceSeconds(
      `Grace period of the old key in seconds, up to 30 days. With 0, the old key stops immediately. A key that rotates itself needs at least ${MIN_OWN_GRACE_S}.`,
    ),
  }),
  successStatus: 201,
  response: single(NEW_KEY),
  errors: ['not_found', 'conflict', 'invalid_value', 'rate_limited'],
  authorize: requireRankOverKey,
  handle: async (call) => {
    const { body, services, caller, path } = call;
    const graceSeconds = body?.grace_seconds ?? 86_400;
    if (path.key_id === caller.key && graceSeconds < MIN_OWN_GRACE_S)
      throw new ApiError('invalid_value', {
        param: 'grace_seconds',
        message: `\`grace_seconds\` must be at least ${MIN_OWN_GRACE_S} for the key of this call: if its response is lost, only this key can repeat the call.`,
      });
    const { record, secret } = await rotateKey(
      changeOf(call),
      services.config.keyPepper,
      caller.organization_id,
      path.key_id,
      graceSeconds,
      caller.key,
    );
    return createdResponse({ ...presentRow(KEY, record), secret });
  },
});

const revokeKeyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/keys/{key_id}/revoke',
  operationId: 'revokeKey',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Revoke a key',
  description:
    'Revokes a key immediately. Revoking a revoked key has no effect. An admin key is revoked only by keys with all permissions of its role; one without a member has those of an owner.',
  pathParameters: [idParameter('key_id', 'Id of the key.', 'key_0f3a')],
  bodySchema: NO_OPTIONS,
  response: single(KEY),
  errors: ['not_found'],
  authorize: requireRankOverKey,
  handle: async (call) => {
    const { caller, path } = call;
    const record = await revokeKey(changeOf(call), caller.organization_id, path.key_id);
    return dataResponse(presentRow(KEY, record));
  },
});

export const keyEndpoints = [
  listKeysEndpoint,
  createKeyEndpoint,
  updateKeyEndpoint,
  rotateKeyEndpoint,
  revokeKeyEndpoint,
];
