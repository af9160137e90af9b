/** A receiver of webhooks and a collector of the audit stream, on loopback. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer, request as tlsRequest } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { makeCertificate } from '../test/certificate.ts'

const ANSWERS_AFTER_MS = 5

async function listen(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A receiver that answers after 5 ms. */
export async function openReceiver() {
  const receiver = { url: '', count: 0, onMessage: (_text: string) => {}, close: () => server.close() }
  const server = createServer(async (message, reply) => {
    const text = String(await buffer(message))
    receiver.count++
    receiver.onMessage(text)
    setTimeout(() => reply.writeHead(204).end(), ANSWERS_AFTER_MS)
  })
  receiver.url = `http://127.0.0.1:${await listen(server)}/`
  return receiver
}

/** A collector that counts the lines that it receives, and stores the compressed bodies. */
export async function openCollector(folder: string) {
  const { key, cert } = makeCertificate('localhost')
  const file = join(folder, 'collector.pem')
  writeFileSync(file, cert)
  const collector = { env: {} as Record<string, string>, lines: 0, bodies: [] as Buffer[], send, close: () => server.close() }
  const server = createTlsServer({ key, cert }, async (message: IncomingMessage, reply) => {
    const body = await buffer(message)
    collector.bodies.push(body)
    collector.lines += gunzipSync(body).toString().split('\n').length - 1
    reply.writeHead(200).end()
  })
  const port = await listen(server)
  /** Posts a body as the portal does, but without the portal's work of preparing it. */
  async function send(body: Buffer) {
    const request = tlsRequest({ host: 'localhost', port, path: '/in', method: 'POST', ca: cert })
    request.end(body)
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    await buffer(reply)
  }
  collector.env = { AUDIT_STREAM_URL: `https://localhost:${port}/in`, AUDIT_STREAM_CA: file }
  return collector
}

/** Waits until a condition holds; returns the time in ms. */
export async function timeUntil(isThere: () => boolean) {
  const begun = performance.now()
  while (!isThere()) await pause(1)
  return performance.now() - begun
}
