/** The endpoints of the running portal, as the sweeps walk over them. */
import { endpoints } from '../server/features.ts'
import type { Endpoint } from '../server/platform/http/endpoint.ts'

export interface Route {
  endpoint: Endpoint
  at: string
  method: string
  path: string
  parameters: string[]
  /** The path with something in the place of each parameter. */
  address(fill: (parameter: string) => string | number): string
}

export const routes: Route[] = endpoints.map((endpoint) => {
  const { at } = endpoint
  const [method, path] = at.split(' ') as [string, string]
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const address: Route['address'] = (fill) => path.replace(/:(\w+)/g, (_, name: string) => String(fill(name)))
  return { endpoint, at, method, path, parameters, address }
})

/** The path of a route as the document writes it. */
export const documented = ({ address }: Route) => `/api${address((name) => `{${name}}`)}`

interface Operation {
  summary?: string
  tags?: string[]
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
  security?: object[]
}
export interface Document {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

export const operationOf = (document: Document, route: Route) => document.paths[documented(route)]?.[route.method.toLowerCase()]

export const isPublic = ({ endpoint }: Route) => endpoint.allow === 'anyone'
/** Whether its head alone can be asked for: a stream has no end that a head could be sent before, and a reading that is noted is of the whole. */
export const hasHead = ({ method, endpoint }: Route) => method === 'GET' && endpoint.does !== 'stream' && endpoint.does !== 'command'
