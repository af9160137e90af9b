/** Checks values and answers against the OpenAPI document. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { type Content, type Document, follow, type Json } from './running.ts'

/** Returns a function that finds the errors of a value by a schema of the document; an empty list if it is valid. */
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

/** Headers that matter to clients and are sent only where the document says so. */
const TOLD = ['set-cookie', 'clear-site-data', 'etag', 'retry-after', 'content-range', 'last-modified', 'accept-ranges']

interface Answered {
  status: number
  headers: Headers
  /** The parsed JSON; null in other answers. */
  body: unknown
}

/** Returns a function that finds the errors of an answer to an operation: in its status, headers and body. */
export function wrongAnswersIn(document: Document) {
  const check = checkerOf(document)
  return (method: string, path: string, { status, headers: sent, body }: Answered) => {
    const { responses } = document.paths[path]![method.toLowerCase()]! as unknown as { responses: Record<string, Json> }
    const declared = responses[status]
    if (!declared) return [`${status} is not in the document`]
    const { content, headers } = follow(document, declared) as { content?: Content; headers: Record<string, Json> }
    const missing = Object.entries(headers)
      .filter(([name, header]) => follow(document, header)['required'] && !sent.has(name))
      .map(([name]) => `${name} is missing`)
    const documented = Object.keys(headers).map((name) => name.toLowerCase())
    const unknown = TOLD.filter((name) => sent.has(name) && !documented.includes(name)).map((name) => `${name} is not in the document`)
    const wrong = [...missing, ...unknown]
    const type = (sent.get('content-type') ?? '').split(';')[0]!
    const known = content ?? {}
    if (content && !(type in known || '*/*' in known || Object.keys(known).some((one) => one.split(';')[0] === type)))
      return [...wrong, `${type} is not in the document`]
    const schema = known['application/json']?.schema
    return [...wrong, ...(schema && type === 'application/json' ? check(schema, body) : [])]
  }
}

/** As `wrongAnswersIn`, for a response of `fetch`, whose body is not consumed. */
export function answerCheckerOf(document: Document) {
  const wrongIn = wrongAnswersIn(document)
  return async (method: string, path: string, response: Response) => {
    const { status, headers } = response
    const isJson = headers.get('content-type')?.startsWith('application/json')
    return wrongIn(method, path, { status, headers, body: isJson ? await response.clone().json() : null })
  }
}
