import { boolean, component, object, oneOf, single, string, timestamp } from '#domain/json-schema.ts';
import { findMember, isEmail, MEMBERS, removeMember, setMember } from '#src/accounts/member-store.ts';
import { NAME_SCHEMA } from '#src/accounts/names.ts';
import { ROLES, requirePermission } from '#src/accounts/roles.ts';
import { type Call, changeOf, dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { readRecord } from '#stores/postgres/records.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { idParameter, newestFirst, presentRow } from '../records.ts';
import { ADMINISTRATION, bodyRequiring, NO_OPTIONS } from './common.ts';

const MEMBER = component(
  'Member',
  object({ id: string, email: string, name: string, role: oneOf(ROLES), created_at: timestamp }),
);

const listMembersEndpoint = defineEndpoint({
  path: '/v1/organization/members',
  operationId: 'listMembers',
  ...ADMINISTRATION,
  summary: 'List members',
  description: 'Returns the members of the organization and their roles, newest first.',
  ...newestFirst(
    'members',
    MEMBER,
    () => MEMBERS,
    (row) => presentRow(MEMBER, row),
  ),
});

const setMemberEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/members',
  operationId: 'setMember',
  ...ADMINISTRATION,
  permission: 'manage',
  summary: 'Add or change a member',
  description:
    'Adds a member, or changes the name and role of the member with this email address. The role applies to the admin keys of the member from the next call. Only owners can make someone an owner or change an owner, and one owner remains.',
  bodySchema: bodyRequiring(['email', 'name', 'role'], {
    email: { type: 'string', minLength: 3, maxLength: 254, description: 'Email address, in any letter case.' },
    name: NAME_SCHEMA,
    role: { type: 'string', enum: ROLES, description: 'Role of the member.' },
  }),
  response: single(MEMBER),
  errors: ['conflict'],
  authorize: async ({ db, caller, body }) => {
    await requirePermission(db, caller.key_id, 'manage', body.role);
    await requireRankOver(db, caller, emailOf(body));
  },
  handle: async (call) => {
    const { db, caller, body } = call;
    const email = emailOf(body);
    if (!isEmail(email))
      throw new ApiError('invalid_value', { param: 'email', message: '`email` must be an email address.' });
    const id = await setMember(changeOf(call), caller.organization_id, { ...body, name: body.name.trim(), email });
    return dataResponse(presentRow(MEMBER, await readRecord(db, MEMBERS, caller.organization_id, id)));
  },
});

const removeMemberEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/members/{member_id}/remove',
  operationId: 'removeMember',
  ...ADMINISTRATION,
  permission: 'manage',
  summary: 'Remove a member',
  description:
    'Removes a member and revokes its admin keys and assistants. Its data keys keep working: rotate those whose secrets it knows. Only owners can remove an owner, and one owner remains.',
  pathParameters: [idParameter('member_id', 'Id of the member.', 'mem_0f3a')],
  bodySchema: NO_OPTIONS,
  response: single(object({ id: string, removed: boolean })),
  errors: ['not_found', 'conflict'],
  authorize: ({ db, caller, path }) => requireRankOver(db, caller, path.member_id),
  handle: async (call) => {
    const { caller, path } = call;
    await removeMember(changeOf(call), caller.organization_id, path.member_id);
    return dataResponse({ id: path.member_id, removed: true });
  },
});

const emailOf = ({ email }: { email: string }): string => email.trim().toLowerCase();

/** @throws RequestError forbidden_action if the member has more permissions than the key */
async function requireRankOver(db: Queryable, caller: Call['caller'], idOrEmail: string): Promise<void> {
  const member = await findMember(db, caller.organization_id, idOrEmail);
  await requirePermission(db, caller.key_id, 'manage', member?.role);
}

export const memberEndpoints = [listMembersEndpoint, setMemberEndpoint, removeMemberEndpoint];
