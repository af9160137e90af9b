/** A receiver of webhooks on loopback, which answers as a test says and verifies messages with the library that receivers use. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Logger } from 'pino'
import { Webhook } from 'standardwebhooks'
import type { Leases } from '../server/platform/database/leases.ts'
import type { Outbound } from '../server/platform/outbound.ts'
import { openSender } from '../server/record/webhooks/sending.ts'
import { type Answer, until } from './client.ts'
import type { TestPortal } from './portal.ts'

export const WEBHOOK_ENV = { WEBHOOK_INTERNAL_HOSTS: '127.0.0.1', SECRETS_KEY: 'k'.repeat(43) }

interface Got {
  id: string
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what comes
  body: any
}
type Answers = (got: Got, reply: ServerResponse) => unknown

/** Opens a receiver; `answers` may be replaced at any time. */
export async function openReceiver(answers: Answers = (_got, reply) => reply.writeHead(204).end()) {
  const got: Got[] = []
  const receiver = {
    answers,
    got,
    url: '',
    at: (path: string) => got.filter((one) => one.path === path),
    /** The first message that `fits` accepts, once it has come. */
    next: (what: string, fits: (one: Got) => boolean) => until(what, () => got.find(fits)),
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const one = { id: String(request.headers['webhook-id']), path: request.url!, headers: request.headers, text, body: JSON.parse(text) }
      got.push(one)
      receiver.answers(one, reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A failed test leaves the server open; `unref` lets the process end all the same.
  server.on('connection', (socket) => socket.unref()).unref()
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>

/** A receiver that closes after the tests of the file. */
export async function fileReceiver() {
  const receiver = await openReceiver()
  after(receiver.close)
  return receiver
}

/** Whether a message is signed by this secret, as the library for receivers judges it. */
export function isSignedBy(secret: string, { text, headers }: Got) {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

/** Adds a webhook. Returns it with its secret. */
export async function addWebhook(portal: TestPortal, name: string, url: string, types: string[] = ['role.*']) {
  const { status, body, text } = await portal.admin.post('/webhooks', { name, url, types })
  if (status !== 201) throw new Error(`no webhook: ${text}`)
  return body as { id: number; secret: string; url: string }
}

/** Adds a role, so that webhooks for roles get a message. Returns the role's id. */
export async function addRole(portal: TestPortal, name: string) {
  const { status, body, text } = await portal.admin.post('/roles', { name })
  if (status !== 201) throw new Error(`no role: ${text}`)
  return body.id as number
}

/** Makes all waiting messages of a webhook due now. */
export const dueNow = (portal: TestPortal, id: number) =>
  portal.sql(`update webhook_deliveries set next_at = now() where webhook_id = $1 and state = 'waiting'`, [id])

/** The messages of a webhook, the oldest first. */
export async function deliveriesOf(portal: TestPortal, id: number) {
  const { body } = await portal.admin.get(`/webhooks/${id}/deliveries?limit=200`)
  const all: Answer['body'][] = body.deliveries
  return all.toReversed()
}

/**
 * A sender beside the portal's own, which is kept from this webhook until `giveBack`. Its calls go to `fetch`, and it sends when a test
 * calls `look`.
 */
export async function openOwnSender({ instance }: TestPortal, webhookId: number, fetch: () => Promise<{ status: number }>) {
  const { db, leases, secrets, transact } = instance
  const giveBack = await leases.take(`webhook ${webhookId}`, 1)
  const answer = async () => ({ ...(await fetch()), headers: {}, bytes: Buffer.alloc(0) })
  const sender = openSender({
    ...{ db, secrets, transact, version: '1.0.0' },
    leases: { take: async () => () => {} } as unknown as Leases,
    outbound: { fetch: answer } as unknown as Outbound,
    log: { info() {}, warn() {} } as unknown as Logger,
  })
  return { ...sender, giveBack: () => giveBack?.() }
}
