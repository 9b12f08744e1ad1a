import { boolean, component, integer, nullable, object, single, string, timestamp } from '#domain/json-schema.ts';
import { NAME_SCHEMA } from '#src/accounts/names.ts';
import { changeProject, createProject, deleteProject, projectsAt } from '#src/accounts/project-store.ts';
import { changeOf, createdResponse, dataResponse, defineEndpoint, type PostCall } from '#src/http/endpoint.ts';
import { readRecord } from '#stores/postgres/records.ts';
import { idParameter, newestFirst, presentRow } from '../records.ts';
import { ADMINISTRATION, bodyOf, bodyRequiring, NO_OPTIONS, requireChange } from './common.ts';

const PROJECT = component(
  'OrganizationProject',
  object({
    id: string,
    name: string,
    monthly_unit_cap: nullable(integer),
    units_this_month: integer,
    active_keys: integer,
    created_at: timestamp,
  }),
);

const CAP = {
  type: ['integer', 'null'],
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'Maximum units per month of the keys of the project; null for none.',
} as const;

const listProjectsEndpoint = defineEndpoint({
  path: '/v1/organization/projects',
  operationId: 'listProjects',
  ...ADMINISTRATION,
  summary: 'List projects',
  description: 'Returns the projects that group keys, with their monthly unit caps and their usage this month.',
  ...newestFirst('projects', PROJECT, projectsAt, (row) => presentRow(PROJECT, row)),
});

const createProjectEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/projects',
  operationId: 'createProject',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Create a project',
  description: 'Creates a project, which groups keys under a name and an optional monthly unit cap.',
  bodySchema: bodyRequiring(['name'], { name: NAME_SCHEMA, monthly_unit_cap: CAP }),
  successStatus: 201,
  response: single(PROJECT),
  errors: ['project_limit', 'name_taken'],
  handle: async (call) => {
    const { caller, body } = call;
    const wanted = { name: body.name.trim(), monthly_unit_cap: body.monthly_unit_cap ?? null };
    return createdResponse(await projectOf(call, await createProject(changeOf(call), caller.organization_id, wanted)));
  },
});

const updateProjectEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/projects/{project_id}',
  operationId: 'updateProject',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Change a project',
  description:
    'Changes the name or the monthly unit cap of a project. Calls of its keys over the cap receive 429 `project_cap_exceeded`.',
  pathParameters: [idParameter('project_id', 'Id of the project.', 'prj_0f3a')],
  bodySchema: bodyOf({ name: NAME_SCHEMA, monthly_unit_cap: CAP }),
  response: single(PROJECT),
  errors: ['not_found', 'name_taken'],
  handle: async (call) => {
    const { caller, path, body } = call;
    const changes = { ...body, name: body.name?.trim() };
    await changeProject(changeOf(call), caller.organization_id, path.project_id, changes);
    requireChange(body);
    return dataResponse(await projectOf(call, path.project_id));
  },
});

const deleteProjectEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organization/projects/{project_id}/delete',
  operationId: 'deleteProject',
  ...ADMINISTRATION,
  permission: 'develop',
  summary: 'Delete a project',
  description:
    'Deletes a project without active keys; with active keys it returns 409 `conflict`. Usage and statements still name the project, and its name can be used again.',
  pathParameters: [idParameter('project_id', 'Id of the project.', 'prj_0f3a')],
  bodySchema: NO_OPTIONS,
  response: single(object({ id: string, deleted: boolean })),
  errors: ['not_found', 'conflict'],
  handle: async (call) => {
    const { caller, path } = call;
    await deleteProject(changeOf(call), caller.organization_id, path.project_id);
    return dataResponse({ id: path.project_id, deleted: true });
  },
});

const projectOf = async ({ db, services, caller }: Pick<PostCall, 'db' | 'services' | 'caller'>, id: string) =>
  presentRow(PROJECT, await readRecord(db, projectsAt(new Date(services.clock.now())), caller.organization_id, id));

export const projectEndpoints = [
  listProjectsEndpoint,
  createProjectEndpoint,
  updateProjectEndpoint,
  deleteProjectEndpoint,
];
