/** Shapes as schemas of the document. A named shape becomes a component, which is referred to wherever the shape is used. */
import { isDeepStrictEqual } from 'node:util'
import { composeExample } from './examples.ts'

export type Json = Record<string, unknown>

/** Keywords that may differ between uses of a named shape. */
const annotations = ['description', 'default']

const withoutNull = ({ type, enum: values, ...rest }: Json): Json => ({
  ...rest,
  type: (type as string[]).filter((one) => one !== 'null')[0],
  ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
})
const differing = [...annotations, 'isCheckedAlone', 'isUntagged']
const withoutAnnotations = (schema: Json) => Object.fromEntries(Object.entries(schema).filter(([key]) => !differing.includes(key)))

/** Collects components while the document is written. */
export function openSchemas() {
  const components: Record<string, Json> = {}
  const examples: Record<string, Json> = {}
  const named = new Map<string, Json>()

  function refer(name: string, shape: Json): Json {
    const known = named.get(name)
    if (!known) {
      named.set(name, shape)
      components[name] = write(shape)
    } else if (!isDeepStrictEqual(withoutAnnotations(known), withoutAnnotations(shape))) throw new Error(`two shapes are named ${name}`)
    const own = annotations.filter((key) => key in shape && !isDeepStrictEqual(shape[key], named.get(name)![key]))
    return { $ref: `#/components/schemas/${name}`, ...Object.fromEntries(own.map((key) => [key, shape[key]])) }
  }

  /**
   * A shape as a schema, without its name and the validator's own keywords. Patterns with Unicode properties are left out as well:
   * JSON Schema does not require engines to support them, and some misread them.
   */
  function write(shape: Json): Json {
    const {
      title: _name,
      clean: _clean,
      form: _form,
      visible: _visible,
      calendarDate: _calendarDate,
      clears: _clears,
      isUntagged: _isUntagged,
      isCheckedAlone: _isCheckedAlone,
      isShownOnce: _isShownOnce,
      maxBytes: _maxBytes,
      examples: _examples,
      pattern,
      properties,
      items,
      additionalProperties,
      anyOf,
      oneOf,
      ...rest
    } = shape
    return {
      ...rest,
      ...(typeof pattern === 'string' && !pattern.includes('\\p{') && { pattern }),
      ...(properties !== undefined && {
        properties: Object.fromEntries(Object.entries(properties as Record<string, Json>).map(([key, inner]) => [key, of(inner)])),
      }),
      ...(typeof items === 'object' && items !== null && { items: of(items) }),
      ...(additionalProperties !== undefined && {
        additionalProperties: typeof additionalProperties === 'object' ? of(additionalProperties as Json) : additionalProperties,
      }),
      ...(Array.isArray(anyOf) && { anyOf: anyOf.map(of) }),
      ...(Array.isArray(oneOf) && { oneOf: oneOf.map(of) }),
    }
  }

  function of(schema: object): Json {
    const shape = schema as Json
    if (typeof shape['title'] !== 'string') return write(shape)
    if (Array.isArray(shape['type'])) return { anyOf: [refer(shape['title'], withoutNull(shape)), { type: 'null' }] }
    return refer(shape['title'], shape)
  }

  /** The example of a shape. For a named shape, or a list of one, it becomes a component, and a reference to it is returned. */
  function exampleOf(shape: object): Json {
    const { title, items } = shape as { title?: string; items?: { title?: string } }
    const name = title ?? (items?.title && `${items.title}List`)
    if (!name) return { value: composeExample(shape) }
    examples[name] ??= { value: composeExample(shape) }
    return { $ref: `#/components/examples/${name}` }
  }

  return { of, refer, exampleOf, components, examples }
}
export type Schemas = ReturnType<typeof openSchemas>
