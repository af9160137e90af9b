/** Values against the schemas of the document. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { Document, Json } from './running.ts'

/** What is wrong with a value by a schema of the document: nothing, where it fits. */
export function checkerOf(document: Document) {
  const ajv = new Ajv2020({ strict: false })
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))
  ajv.addSchema({ $id: 'document', ...document })
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema: Json, value: unknown): ErrorObject[] => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
    const isValid = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, isValid)
    return isValid(value) ? [] : isValid.errors!
  }
}
