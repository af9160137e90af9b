/** Collectors of the audit stream on loopback, by HTTPS and by syslog over TLS, which record what they receive. */
import { writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { makeCertificate } from './certificate.ts'
import { until } from './client.ts'
import { sharedFolder } from './setup.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests assert on what comes
export type Line = any
interface Got {
  headers: IncomingHttpHeaders
  text: string
  lines: Line[]
}
type Answers = (got: Got, reply: ServerResponse) => unknown

let files = 0
/** Writes a text to a file of the run. Returns its path. */
export function fileOf(text: string) {
  const file = join(sharedFolder(), `pem-${process.pid}-${++files}`)
  writeFileSync(file, text)
  return file
}

const linesOf = (text: string): Line[] =>
  text.startsWith('[') ? JSON.parse(text) : text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))

/** Opens a collector by HTTPS; `answers` may be replaced at any time. `taken` has the lines that it answered with 2xx. */
export async function openCollector(answers: Answers = (_got, reply) => reply.writeHead(200).end()) {
  const { key, cert } = makeCertificate('localhost')
  const collector = {
    answers,
    got: [] as Got[],
    taken: [] as Line[],
    env: {} as Record<string, string>,
    /** The first line that fits, once it was taken. */
    next: (what: string, fits: (line: Line) => boolean): Promise<Line> => until(what, () => collector.taken.find(fits)),
    async stop() {
      await new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections())
    },
    async start() {
      server = open()
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    },
  }
  const open = () =>
    createServer({ key, cert }, (request, reply) => {
      const chunks: Buffer[] = []
      request.on('error', () => {})
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const text = gunzipSync(Buffer.concat(chunks)).toString()
        const one = { headers: request.headers, text, lines: linesOf(text) }
        collector.got.push(one)
        collector.answers(one, reply)
        if (reply.statusCode < 300 && reply.writableEnded) collector.taken.push(...one.lines)
      })
    })
  let port = 0
  let server: Server = open()
  await collector.start()
  port = (server.address() as AddressInfo).port
  collector.env = { AUDIT_STREAM_URL: `https://localhost:${port}/in`, AUDIT_STREAM_CA: fileOf(cert) }
  return collector
}
export type Collector = Awaited<ReturnType<typeof openCollector>>

/** Opens a collector and stops it after the tests of the file. */
export async function fileCollector() {
  const collector = await openCollector()
  after(collector.stop)
  return collector
}
