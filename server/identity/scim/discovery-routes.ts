import { Type } from 'typebox'
import type { Config } from '../../platform/config.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { query } from '../../platform/http/endpoint.ts'
import { Shape } from '../../platform/http/shape.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts'
import { baseUrlOf } from './queries.ts'
import { listHead } from './resource.ts'
import { ScimList, ScimReply } from './shapes.ts'

const open = { allow: 'anyone', query: ScimList, reply: ScimReply } as const
const listed = (resources: readonly object[]) => ({ ...listHead(resources.length, 1, resources.length), Resources: [...resources] })

/** The base of the addresses in an answer. Refuses a filter, so that nobody takes the whole answer for a part of it (RFC 7644, 4). */
function baseFor({ config, query }: { config: Config; query: Record<string, unknown> }) {
  if (String(query['filter'] ?? '').trim() !== '') refuse('forbidden', { body: { detail: 'Only people and groups can be filtered.' } })
  return baseUrlOf(config)
}

export const showScimConfig = query('GET /scim/v2/ServiceProviderConfig', {
  ...open,
  summary: 'What the portal can do of SCIM',
  refuses: ['forbidden'],
  run: async (call) => serviceProviderConfig(baseFor(call)),
})

export const listScimTypes = query('GET /scim/v2/ResourceTypes', {
  ...open,
  summary: 'The types of resources: users and groups',
  refuses: ['forbidden'],
  run: async (call) => listed(resourceTypes(baseFor(call))),
})

export const showScimType = query('GET /scim/v2/ResourceTypes/:name', {
  ...open,
  summary: 'One type of resource',
  params: Shape({ name: Type.String({ maxLength: 500 }) }, { isCheckedAlone: true }),
  refuses: ['forbidden', 'not_found'],
  run: async (call) => resourceTypes(baseFor(call)).find(({ id }) => id === call.params.name) ?? refuse('not_found'),
})

export const listScimSchemas = query('GET /scim/v2/Schemas', {
  ...open,
  summary: 'The attributes of users and groups',
  refuses: ['forbidden'],
  run: async (call) => listed(schemas(baseFor(call))),
})

export const showScimSchema = query('GET /scim/v2/Schemas/:urn', {
  ...open,
  summary: 'One schema',
  params: Shape({ urn: Type.String({ maxLength: 500 }) }, { isCheckedAlone: true }),
  refuses: ['forbidden', 'not_found'],
  run: async (call) => schemas(baseFor(call)).find(({ id }) => id === call.params.urn) ?? refuse('not_found'),
})
