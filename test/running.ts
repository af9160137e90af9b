/** The endpoints of the running portal, for tests that call all of them. */
import { endpoints } from '../server/lists/features.ts'
import { isRecorded } from '../server/platform/http/endpoint.ts'
import type { documentOf } from '../server/platform/openapi/document.ts'
import type { Listed } from '../server/platform/openapi/operation.ts'

export interface Route {
  endpoint: Listed
  at: string
  method: string
  path: string
  parameters: string[]
  /** The path with a value for each parameter; an enumerated parameter gets its first value. */
  address(fill: (parameter: string) => string | number): string
}

export const routes: Route[] = endpoints.map((endpoint) => {
  const { at } = endpoint
  const [method, path] = at.split(' ') as [string, string]
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const words = (name: string) =>
    (endpoint.params as { properties?: Record<string, { enum?: string[] }> } | undefined)?.properties?.[name]?.enum
  const address: Route['address'] = (fill) => path.replace(/:(\w+)/g, (_, name: string) => words(name)?.[0] ?? String(fill(name)))
  return { endpoint, at, method, path, parameters, address }
})

/** The path of a route as written in the OpenAPI document. */
export const documented = ({ path }: Route) => path.replace(/:(\w+)/g, '{$1}')

export type Document = ReturnType<typeof documentOf>
export type Json = Record<string, unknown>

/** A value of the OpenAPI document, with its reference resolved. */
export const follow = (document: Document, value: Json): Json => {
  const ref = value['$ref']
  if (typeof ref !== 'string') return value
  const keys = ref.split('/').slice(1)
  const names = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const found = names.reduce<unknown>((node, key) => (node as Json | undefined)?.[key], document)
  if (!found) throw new Error(`${ref} leads nowhere`)
  return follow(document, found as Json)
}

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: { name: string; in: string; required?: boolean; schema: Json }[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; headers: Json; content?: Content }>
  security?: object[]
}
export type Content = Record<string, { schema: Json; example?: unknown; examples?: Record<string, Json> }>

/** An operation with its parameters and answers resolved. */
export function operationOf(document: Document, route: Route): Operation {
  const operation = document.paths[documented(route)]![route.method.toLowerCase()]! as unknown as Operation
  const responses = Object.entries(operation.responses).map(([status, answer]) => [status, follow(document, answer as unknown as Json)])
  return {
    ...operation,
    parameters: operation.parameters.map((one) => follow(document, one as unknown as Json)) as unknown as Operation['parameters'],
    responses: Object.fromEntries(responses),
  }
}

export const isPublic = ({ endpoint }: Route) => endpoint.allow === 'anyone'
/** Whether HEAD is allowed: not for a stream, and not where the read is recorded. */
export const hasHead = ({ method, endpoint }: Route) => method === 'GET' && endpoint.does !== 'stream' && !isRecorded(endpoint)
