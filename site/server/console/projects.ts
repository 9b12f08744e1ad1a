import { html } from '#src/documents/html.ts';
import { type ConsolePage, dots, field, form, input, item, list, opened } from './parts.ts';

export interface ProjectRow {
  id: string;
  name: string;
  monthly_unit_cap: number | null;
  units_this_month: number;
  active_keys: number;
}

export const projectsPage: ConsolePage = {
  name: 'projects',
  async render(view) {
    const { client, texts, format } = view;
    const projects = await client.all<ProjectRow>('/projects');
    const fields = (project: ProjectRow | null) =>
      html`${input('name', texts.name, { value: project?.name ?? null, required: true, maxLength: 80 })}${input('cap', texts.monthly_cap, { type: 'number', value: project?.monthly_unit_cap ?? null, hint: texts.monthly_cap_hint })}`;
    return html`<p>${texts.projects_lead}</p>
${opened(view, 'create', texts.create_project, form(view, 'create', texts.create_project, fields(null)))}
${list(
  projects.map((project) => {
    const { id, monthly_unit_cap: cap, units_this_month: units } = project;
    const used = cap === null ? format.number(units) : `${format.number(units)} ${texts.of} ${format.number(cap)}`;
    return item(
      project.name,
      dots(format.count(texts.keys_count, project.active_keys), `${used} ${texts.units_this_month}`),
      form(view, 'change', texts.save, fields(project), { hidden: { id } }),
      form(view, 'delete', texts.delete, null, { hidden: { id }, kind: 'danger' }),
    );
  }),
  texts.no_projects,
)}`;
  },
  actions: {
    async create({ client }, given) {
      await client.post('/projects', bodyOf(given));
    },
    async change({ client }, given) {
      await client.post(`/projects/${field(given, 'id')}`, bodyOf(given));
    },
    async delete({ client }, given) {
      await client.post(`/projects/${field(given, 'id')}/delete`, {});
    },
  },
};

const bodyOf = (given: URLSearchParams) => ({
  name: field(given, 'name'),
  monthly_unit_cap: field(given, 'cap') === '' ? null : Number(field(given, 'cap')),
});
