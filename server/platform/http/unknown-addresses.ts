/** Refuses requests that no route takes, and those for an address that takes other methods. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../errors/refusal.ts'

interface KnownPath {
  pattern: RegExp
  methods: Set<string>
}

const patternOf = (url: string) => new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}/?$`)

/**
 * Notes the routes that are added to `app` from now on. Returns the handler that refuses a request: `method_not_allowed` if its address
 * takes other methods, else `route_not_found`.
 */
export function refuseUnknown(app: FastifyInstance) {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = known.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const one of [method].flat()) path.methods.add(one)
    known.set(url, path)
  })
  return ({ url, method }: FastifyRequest) => {
    const path = url.split('?')[0]!
    const allow = [...known.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : []))
    // A route may refuse an address by itself, though it takes the method.
    if (allow.length === 0 || allow.includes(method)) refuse('route_not_found')
    return refuse('method_not_allowed', { allow: [...new Set(allow)].toSorted() })
  }
}
