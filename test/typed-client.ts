/** A client whose types are generated from the OpenAPI document. Every answer and every event is checked against it. */
import assert from 'node:assert/strict'
import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from '../client/schema.d.ts'
import { endpoints } from '../server/lists/features.ts'
import { documentOf } from '../server/platform/openapi/document.ts'
import { answerCheckerOf, checkerOf } from './document-schemas.ts'
import { ADMIN_PASSWORD, type TestPortal } from './portal.ts'

type Message = components['schemas']['StreamMessage']

const document = documentOf(endpoints, { cookie: 'portal_session' })
const check = checkerOf(document)
const errorsOf = answerCheckerOf(document)

/** A client with its own session. `answered` counts its answers. */
export function openClient({ base }: TestPortal) {
  let cookie = ''
  let answers = 0
  const middleware: Middleware = {
    onRequest({ request }) {
      if (cookie) request.headers.set('cookie', cookie)
      return request
    },
    async onResponse({ request, response, schemaPath }) {
      const [set] = response.headers.getSetCookie()
      if (set) cookie = set.split(';')[0]!
      assert.deepEqual(await errorsOf(request.method, schemaPath, response), [], `${request.method} ${schemaPath}`)
      answers++
    },
  }
  const client = createClient<paths>({ baseUrl: `${base}/api` })
  client.use(middleware)
  return { ...client, answered: () => answers }
}

/** The client of the administrator, signed in. */
export async function adminClient(portal: TestPortal) {
  const admin = openClient(portal)
  const { data: me } = await admin.POST('/auth/login', { body: { username: 'admin', password: ADMIN_PASSWORD } })
  assert.ok(me)
  return { admin, me }
}

const isMessage = (value: unknown): value is Message => check({ $ref: '#/components/schemas/StreamMessage' }, value).length === 0

/** The messages of a stream as they arrive; throws for a message that is not in the OpenAPI document. */
async function* messagesOf(reader: ReadableStreamDefaultReader<string>) {
  let text = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const blocks = (text + piece.value).split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)))
      if (fields['data'] === undefined) continue
      const message: unknown = { id: fields['id'], event: fields['event'], data: JSON.parse(fields['data']) }
      assert.ok(isMessage(message), block)
      yield message
    }
  }
}

/** Opens the stream of events. `messages` grows as messages arrive; `close` fails if a message was undocumented. */
export async function listen(client: ReturnType<typeof openClient>) {
  const { data: stream } = await client.GET('/events', { parseAs: 'stream' })
  // Close the stream through its reader. An AbortSignal would not do: Node forgets the request of a signal once the request is
  // garbage-collected.
  const reader = stream!.pipeThrough(new TextDecoderStream()).getReader()
  const messages: Message[] = []
  const reading = (async () => {
    for await (const message of messagesOf(reader)) messages.push(message)
  })()
  return {
    messages,
    async close() {
      await reader.cancel()
      await reading
    },
  }
}
