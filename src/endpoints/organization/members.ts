import { boolean, component, nullable, object, oneOf, single, string, timestamp } from '#domain/json-schema.ts';
import { memberOfKey } from '#src/accounts/change-key.ts';
import { findMember, isEmail, MEMBERS, readAddress, removeMember, setMember } from '#src/accounts/member-store.ts';
import { NAME_SCHEMA } from '#src/accounts/names.ts';
import { ROLES, requirePermission } from '#src/accounts/roles.ts';
import { LANGUAGES, type Language } from '#src/documents/language.ts';
import { type Call, changeOf, dataResponse, defineEndpoint, type PostCall } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { inviteMember } from '#src/sign-in/invitations.ts';
import { readRecord } from '#stores/postgres/records.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { idParameter, newestFirst, presentRow } from '../records.ts';
import { ADMINISTRATION, bodyOf, bodyRequiring, NO_OPTIONS, requireRecentSignIn } from './common.ts';

const MEMBER = component(
  'Member',
  object({
    id: string,
    email: string,
    name: string,
    role: oneOf(ROLES),
    created_at: timestamp,
    invited_at: nullable(timestamp),
    joined_at: nullable(timestamp),
  }),
);

const LANGUAGE = {
  type: 'string',
  enum: LANGUAGES,
  default: 'en',
  description: 'Language of the invitation.',
} as const;

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
    'Adds a member, or changes the name and role of the member with this email address. The role applies to the admin keys of the member from the next call. Only owners can make someone an owner or change an owner, and one owner remains. With `invite`, adds a new member and mails an invitation to sign in, which is valid for 7 days; an existing member returns 409 `conflict`.',
  bodySchema: bodyRequiring(['email', 'name', 'role'], {
    email: { type: 'string', minLength: 3, maxLength: 254, description: 'Email address, in any letter case.' },
    name: NAME_SCHEMA,
    role: { type: 'string', enum: ROLES, description: 'Role of the member.' },
    invite: { type: 'boolean', default: false, description: 'Whether to mail an invitation to the new member.' },
    language: LANGUAGE,
  }),
  response: single(MEMBER),
  errors: ['conflict', 'rate_limited'],
  authorize: async (call) => {
    const { db, caller, body } = call;
    await requirePermission(db, caller.key_id, 'manage', body.role);
    await requireRankOver(db, caller, emailOf(body));
    if (body.role === 'owner') requireRecentSignIn(call);
  },
  handle: async (call) => {
    const { db, caller, body } = call;
    const email = emailOf(body);
    if (!isEmail(email))
      throw new ApiError('invalid_value', { param: 'email', message: '`email` must be an email address.' });
    if (body.invite && (await findMember(db, caller.organization_id, email)))
      throw new ApiError('conflict', {
        param: 'email',
        message: 'The organization has a member with this address already. Resend the invitation, or change the role.',
      });
    const id = await setMember(changeOf(call), caller.organization_id, { ...body, name: body.name.trim(), email });
    if (body.invite) await invite(call, id, body.language);
    return dataResponse(presentRow(MEMBER, await readRecord(db, MEMBERS, caller.organization_id, id)));
  },
});

const invite = (call: PostCall, memberId: string, language: Language = 'en') =>
  inviteMember(
    changeOf(call),
    { config: call.services.config, now: new Date(call.services.clock.now()) },
    call.caller.organization_id,
    memberId,
    language,
  );

const resendInvitationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/members/{member_id}/resend-invitation',
  operationId: 'resendInvitation',
  ...ADMINISTRATION,
  permission: 'manage',
  summary: 'Resend an invitation',
  description:
    'Mails an invitation to a member who has not signed in, which is valid for 7 days. A member who has returns 409 `conflict`.',
  pathParameters: [idParameter('member_id', 'Id of the member.', 'mem_0f3a')],
  bodySchema: bodyOf({ language: LANGUAGE }),
  response: single(MEMBER),
  errors: ['not_found', 'conflict', 'rate_limited'],
  authorize: ({ db, caller, path }) => requireRankOver(db, caller, path.member_id),
  handle: async (call) => {
    const { db, caller, path, body } = call;
    await invite(call, path.member_id, body?.language);
    return dataResponse(presentRow(MEMBER, await readRecord(db, MEMBERS, caller.organization_id, path.member_id)));
  },
});

const leaveEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/leave',
  operationId: 'leaveOrganization',
  ...ADMINISTRATION,
  permission: 'belong',
  summary: 'Leave the organization',
  description:
    'Removes the member of the calling key, as `removeMember` does. A key without a member, and the last owner, receive 409 `conflict`.',
  bodySchema: NO_OPTIONS,
  response: single(object({ id: string, removed: boolean })),
  errors: ['conflict'],
  handle: async (call) => {
    const { db, caller } = call;
    const id = await memberOfKey(db, caller.key_id);
    if (id === null) throw new ApiError('conflict', { message: 'The key of this call belongs to no member.' });
    await removeMember(changeOf(call), caller.organization_id, id, { isLeaving: true });
    return dataResponse({ id, removed: true });
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

const emailOf = ({ email }: { email: string }): string => readAddress(email);

/** @throws RequestError forbidden_action if the member has more permissions than the key */
async function requireRankOver(db: Queryable, caller: Call['caller'], idOrEmail: string): Promise<void> {
  const member = await findMember(db, caller.organization_id, idOrEmail);
  await requirePermission(db, caller.key_id, 'manage', member?.role);
}

export const memberEndpoints = [
  listMembersEndpoint,
  setMemberEndpoint,
  resendInvitationEndpoint,
  removeMemberEndpoint,
  leaveEndpoint,
];
