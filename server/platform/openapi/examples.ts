/** Composes examples from shapes: each shape gives the values worth showing, and the rest is filled in. */

interface Exemplified {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  minimum?: number
  required?: string[]
  properties?: Record<string, Exemplified>
  items?: Exemplified
  oneOf?: Exemplified[]
  anyOf?: Exemplified[]
}

/**
 * An example of the shape: its own, else the first of its alternatives, else composed of its parts' examples. An optional field appears
 * only if the object's own example has it. A nullable field without an example is null.
 */
export function composeExample(shape: Exemplified): unknown {
  const [own] = shape.examples ?? []
  const types = [shape.type].flat()
  if (types.includes('object') && shape.properties) {
    const { properties, required = [] } = shape
    const given = (own ?? {}) as Record<string, unknown>
    if (own === null) return null
    const names = Object.keys(properties).filter((name) => required.includes(name) || name in given)
    return Object.fromEntries(names.map((name) => [name, name in given ? given[name] : composeExample(properties[name]!)]))
  }
  if (own !== undefined) return own
  if (shape.const !== undefined) return shape.const
  if (shape.default !== undefined) return shape.default
  const [alternative] = shape.oneOf ?? shape.anyOf ?? []
  if (alternative) return composeExample(alternative)
  if (shape.enum) return shape.enum[0]
  if (types.includes('array')) return [composeExample(shape.items!)]
  if (types.includes('null')) return null
  if (types.includes('integer')) return Math.max(shape.minimum ?? 0, 0)
  if (types.includes('boolean')) return true
  return types.includes('object') ? {} : ''
}
