import { ROLES } from '#src/accounts/roles.ts';
import { factList, html } from '#src/documents/html.ts';
import {
  button,
  type ConsolePage,
  choice,
  dots,
  field,
  form,
  input,
  item,
  list,
  moment,
  opened,
  type View,
} from './parts.ts';

export interface MemberRow {
  id: string;
  email: string;
  name: string;
  role: (typeof ROLES)[number];
  invited_at: string | null;
  joined_at: string | null;
}

const roleChoice = (view: View, role: string) =>
  choice(
    'role',
    view.texts.role,
    ROLES.map((each) => [each, `${view.nameOf('member_roles', each)}: ${view.texts.roles[each]}`] as const),
    role,
  );

export const membersPage: ConsolePage = {
  name: 'members',
  async render(view) {
    const { client, texts, session } = view;
    const members = await client.all<MemberRow>('/members');
    return html`${opened(
      view,
      'invite',
      texts.invite,
      form(
        view,
        'invite',
        texts.invite,
        html`${input('email', texts.email, { type: 'email', required: true, maxLength: 254 })}${input('name', texts.name, { required: true, maxLength: 80 })}${roleChoice(view, 'developer')}`,
      ),
    )}
${list(
  members.map((member) => {
    const { id, email, name, joined_at: joined, invited_at: invited } = member;
    const isSelf = id === session.member.id;
    return item(
      name,
      dots(view.nameOf('member_roles', member.role), email, joined === null && texts.not_joined, isSelf && texts.you),
      factList([
        [texts.invited, moment(view, invited)],
        [texts.joined, moment(view, joined)],
      ]),
      joined === null && button(view, 'resend', texts.resend, { id }),
      form(view, 'role', texts.save, roleChoice(view, member.role), { hidden: { email, name } }),
      isSelf
        ? html`<p class="note">${texts.leave_hint}</p>${form(view, 'leave', texts.leave, null, { kind: 'danger' })}`
        : html`<p class="note">${texts.remove_hint}</p>${form(view, 'remove', texts.remove, null, { hidden: { id }, kind: 'danger' })}`,
    );
  }),
  texts.none,
)}`;
  },
  actions: {
    async invite({ client, language }, given) {
      const [email, name, role] = ['email', 'name', 'role'].map((each) => field(given, each));
      await client.post('/members', { email, name, role, invite: true, language });
    },
    async resend({ client, language }, given) {
      await client.post(`/members/${field(given, 'id')}/resend-invitation`, { language });
    },
    async role({ client }, given) {
      const [email, name, role] = ['email', 'name', 'role'].map((each) => field(given, each));
      await client.post('/members', { email, name, role });
    },
    async remove({ client }, given) {
      await client.post(`/members/${field(given, 'id')}/remove`, {});
    },
    async leave({ client }) {
      await client.post('/leave', {});
      return '/console?done=leave';
    },
  },
};
