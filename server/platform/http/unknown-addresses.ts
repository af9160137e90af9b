/** Refuses requests that no endpoint takes, and those for an address that takes other methods. */
import type { FastifyRequest } from 'fastify'
import { refuse } from '../errors/refusal.ts'
import type { Endpoint } from './endpoint.ts'

interface KnownPath {
  pattern: RegExp
  methods: string[]
}

/** Each path once, with the methods it takes. A GET takes HEAD as well, unless it is a stream or a command. */
function knownPaths(endpoints: readonly Endpoint[]): KnownPath[] {
  const byPath = Map.groupBy(endpoints, ({ at }) => at.split(' ')[1]!)
  return [...byPath].map(([path, some]) => ({
    pattern: new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}/?$`),
    methods: some.flatMap(({ at, does }) => {
      const method = at.split(' ')[0]!
      return method === 'GET' && does !== 'stream' && does !== 'command' ? ['GET', 'HEAD'] : [method]
    }),
  }))
}

/** Refuses `method_not_allowed` at an address of an endpoint, `route_not_found` elsewhere. */
export function refuseUnknown(endpoints: readonly Endpoint[]) {
  const known = knownPaths(endpoints)
  return ({ url }: FastifyRequest) => {
    const path = url.split('?')[0]!
    const allow = [...new Set(known.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : [])))].toSorted()
    return allow.length ? refuse('method_not_allowed', { allow }) : refuse('route_not_found')
  }
}
