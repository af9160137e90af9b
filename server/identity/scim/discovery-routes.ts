import { Type } from 'typebox'
import { refuse } from '../../platform/errors/refusal.ts'
import { query } from '../../platform/http/endpoint.ts'
import { Shape } from '../../platform/http/shape.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts'
import { baseUrlOf } from './queries.ts'
import { listHead } from './resource.ts'
import { ScimList, ScimReply } from './shapes.ts'

const open = { allow: 'anyone', query: ScimList, reply: ScimReply } as const
const listed = (resources: readonly object[]) => ({ ...listHead(resources.length, 1, resources.length), Resources: [...resources] })

/** Refuses `forbidden` for a filter, so that nobody takes the answer, which is always whole, for what meets it (RFC 7644, 4). */
function refuseFilter(sent: Record<string, unknown>) {
  if (String(sent['filter'] ?? '').trim() !== '') refuse('forbidden', { body: { detail: 'Only people and groups can be filtered.' } })
}

export const showScimConfig = query('GET /scim/v2/ServiceProviderConfig', {
  ...open,
  summary: 'What the portal can do of SCIM',
  refuses: ['forbidden'],
  run: async ({ config, query }) => {
    refuseFilter(query)
    return serviceProviderConfig(baseUrlOf(config))
  },
})

export const listScimTypes = query('GET /scim/v2/ResourceTypes', {
  ...open,
  summary: 'The types of resources: users and groups',
  refuses: ['forbidden'],
  run: async ({ config, query }) => {
    refuseFilter(query)
    return listed(resourceTypes(baseUrlOf(config)))
  },
})

export const showScimType = query('GET /scim/v2/ResourceTypes/:name', {
  ...open,
  summary: 'One type of resource',
  params: Shape({ name: Type.String({ maxLength: 500 }) }, { isCheckedAlone: true }),
  refuses: ['forbidden', 'not_found'],
  run: async ({ config, query, params: { name } }) => {
    refuseFilter(query)
    return resourceTypes(baseUrlOf(config)).find(({ id }) => id === name) ?? refuse('not_found')
  },
})

export const listScimSchemas = query('GET /scim/v2/Schemas', {
  ...open,
  summary: 'The attributes of users and groups',
  refuses: ['forbidden'],
  run: async ({ config, query }) => {
    refuseFilter(query)
    return listed(schemas(baseUrlOf(config)))
  },
})

export const showScimSchema = query('GET /scim/v2/Schemas/:urn', {
  ...open,
  summary: 'One schema',
  params: Shape({ urn: Type.String({ maxLength: 500 }) }, { isCheckedAlone: true }),
  refuses: ['forbidden', 'not_found'],
  run: async ({ config, query, params: { urn } }) => {
    refuseFilter(query)
    return schemas(baseUrlOf(config)).find(({ id }) => id === urn) ?? refuse('not_found')
  },
})
