/**
 * A push service for browsers: it verifies the signature of a push (RFC 8292) and decrypts it as the browser would (RFC 8188 and 8291).
 * It implements both itself, independently of the portal.
 */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, randomUUID, verify } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import webpush from 'web-push'
import { makeCertificate } from './certificate.ts'
import { makers } from './makers.ts'
import type { PersonFields } from './people.ts'
import { type Client, type TestPortal, testPortal, until } from './portal.ts'

export const PUSH_HOST = 'localhost'

/** A push as a browser received it. */
export interface Received {
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what comes
  data: any
  bytes: number
  ttl: number
  urgency: string | undefined
  topic: string | undefined
  /** The claims of the push's signature, and the public key that verifies it. */
  vapid: { aud: string; exp: number; sub: string; publicKey: string }
}
export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}
type Reader = (message: Buffer) => string

/** The browser's side of the encryption: its keys, and decrypting a message. */
function makeKeys() {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys()
  const auth = randomBytes(16)
  const read: Reader = (message) => {
    const salt = message.subarray(0, 16)
    const recordSize = message.readUInt32BE(16)
    const senderKey = message.subarray(21, 21 + message[20]!)
    const record = message.subarray(21 + message[20]!)
    if (record.length > recordSize) throw new Error('more than one record')
    const derive = (secret: Buffer, by: Buffer, info: Buffer, length: number) => Buffer.from(hkdfSync('sha256', secret, by, info, length))
    const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
    const secret = derive(pair.computeSecret(senderKey), auth, keyInfo, 32)
    const contentKey = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce).setAuthTag(record.subarray(-16))
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    const end = padded.findLastIndex((byte) => byte !== 0)
    if (padded[end] !== 2) throw new Error('no last record')
    return padded.subarray(0, end).toString()
  }
  return { keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') }, read }
}

/** The claims of a push signed for this origin. Throws if the signature is invalid or expired. */
function readVapid(authorization: string | undefined, origin: string) {
  const [, token, publicKey] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? []
  const [header, claims, signature] = token!.split('.') as [string, string, string]
  const point = Buffer.from(publicKey!, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const inJson = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  const signed = { key, dsaEncoding: 'ieee-p1363' } as const
  if (inJson(header).alg !== 'ES256') throw new Error('not ES256')
  if (!verify('sha256', Buffer.from(`${header}.${claims}`), signed, Buffer.from(signature, 'base64url'))) throw new Error('not signed')
  const { aud, exp, sub } = inJson(claims) as { aud: string; exp: number; sub: string }
  const now = Date.now() / 1000
  if (aud !== origin) throw new Error(`signed for ${aud}`)
  if (exp <= now || exp > now + 24 * 3600) throw new Error(`good until ${exp}`)
  if (!/^(mailto:.+@.+|https:\/\/.+)$/.test(sub)) throw new Error(`signed by ${sub}`)
  return { aud, exp, sub, publicKey: publicKey! }
}

/** A push service's answer: a status, or no answer. */
export type Reply = number | 'silence' | 'hang-up'

export async function startPushService() {
  const folder = mkdtempSync(join(tmpdir(), 'bawaba-push-'))
  const { key, cert } = makeCertificate(PUSH_HOST)
  const caFile = join(folder, 'cert.pem')
  writeFileSync(caFile, cert)
  const readers = new Map<string, { read: Reader; received: Received[] }>()
  /** All requested paths, whatever the answer was. */
  const asked: string[] = []
  /** The errors that the service or the browser found in pushes. */
  const complaints: string[] = []
  const subscriptions: Subscription[] = []
  let reply: Reply = 201
  let connections = 0
  const known = getCACertificates()
  const silenced: ServerResponse[] = []
  let origin = ''

  function take(request: IncomingMessage, message: Buffer): Reply {
    asked.push(request.url!)
    if (reply !== 201) return reply
    const browser = readers.get(request.url!)
    if (!browser) return 404
    const { headers, method } = request
    try {
      if (method !== 'POST' || headers['content-encoding'] !== 'aes128gcm') throw new Error(`${method} ${headers['content-encoding']}`)
      if (message.length > 4096) throw new Error('too long')
      const vapid = readVapid(headers.authorization, origin)
      const text = browser.read(message)
      browser.received.push({
        data: JSON.parse(text),
        bytes: Buffer.byteLength(text),
        ttl: Number(headers['ttl']),
        urgency: headers['urgency'] as string | undefined,
        topic: headers['topic'] as string | undefined,
        vapid,
      })
      return 201
    } catch (error) {
      complaints.push((error as Error).message)
      return 400
    }
  }

  const server = createServer({ key, cert }, async (request: IncomingMessage, response: ServerResponse) => {
    const answer = take(request, Buffer.concat(await request.toArray()))
    if (answer === 'silence') return void silenced.push(response)
    if (answer === 'hang-up') return void request.socket.destroy()
    // Some services quote the request; some redirect.
    response
      .writeHead(answer, { location: `${origin}/elsewhere` })
      .end(answer < 300 ? '' : `rejected: ${request.url} ${'x'.repeat(100_000)}`)
  })
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  origin = `https://${PUSH_HOST}:${port}`

  return {
    origin,
    /** The certificate to trust; other processes trust it through NODE_EXTRA_CA_CERTS. */
    caFile,
    asked,
    complaints,
    /** The subscriptions of all browsers of the service. */
    subscriptions,
    timesConnected: () => connections,
    /**
     * Makes this process trust the service until it closes. A later service needs the end of this trust: of two CAs with the same name,
     * only the first would be tried.
     */
    trust: () => setDefaultCACertificates([...known, cert]),
    /** A browser that has subscribed here. `received` grows as pushes arrive. */
    newBrowser() {
      const { keys, read } = makeKeys()
      const path = `/push/${randomUUID()}`
      const received: Received[] = []
      readers.set(path, { read, received })
      const subscription: Subscription = { endpoint: origin + path, keys }
      subscriptions.push(subscription)
      return {
        subscription,
        received,
        /** The first push, once it has arrived. */
        next: () => until('a push comes', () => received[0]),
        timesAsked: () => asked.filter((one) => one === path).length,
      }
    },
    /** How many requests wait for an answer that never comes. */
    waiting: () => silenced.length,
    /** Closes the connections of the waiting requests without an answer. */
    hangUp() {
      for (const response of silenced.splice(0)) response.destroy()
    },
    /** Sets the answer for the next requests; 201 accepts pushes. */
    answerWith(next: Reply) {
      reply = next
    },
    async close() {
      setDefaultCACertificates(known)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type PushService = Awaited<ReturnType<typeof startPushService>>
export type Browser = ReturnType<PushService['newBrowser']>

interface Job {
  attempts: number
  error: string | null
}
const JOBS = `graphile_worker.jobs where task_identifier = 'send_push'`

/** The steps that tests of pushes share. */
export const pushing = (portal: TestPortal) => ({
  async subscribe(client: Client, { subscription }: { subscription: Subscription }) {
    const answer = await client.post('/push/subscribe', subscription)
    if (answer.status !== 200) throw new Error(`cannot subscribe: ${answer.text}`)
  },

  /** Makes a notification for a person, with the jobs that push it; returns its id. */
  async notify({ id }: { id: number }, fields: Record<string, string | number> = {}) {
    const line = { user_id: id, type: 'system', title_ar: 'عنوان', title_en: 'Title', ...fields }
    const columns = Object.keys(line)
    const [written] = await portal.sql<{ id: number }>(
      `with written as (insert into notifications (${columns}) values (${columns.map((_, index) => `$${index + 1}`)}) returning *),
         jobs as (select graphile_worker.add_job('send_push', json_build_object('notificationId', written.id, 'subscriptionId', s.id))
           from written join push_subscriptions s using (user_id))
       select id, (select count(*) from jobs) from written`,
      Object.values(line),
    )
    return written!.id
  },

  /** The pushes still to be sent. */
  jobs: () => portal.sql<Job>(`select attempts, last_error as error from ${JOBS}`),
  /** Waits until a push has failed at its attempt number `attempts`; returns it. */
  failed: (attempts = 1) =>
    until('a push fails', async () =>
      (await portal.sql<Job>(`select attempts, last_error as error from ${JOBS} and locked_at is null`)).find(
        (job) => job.error && job.attempts === attempts,
      ),
    ),
  retryNow: () => portal.sql(`update graphile_worker._private_jobs set run_at = now()`),

  /** Waits until nothing is left to be sent. */
  settled: () =>
    until('all pushes are dealt with', async () => {
      const [left] = await portal.sql<{ count: number }>(
        `select ((select count(*) from pushes) + (select count(*) from ${JOBS}))::int as count`,
      )
      return left!.count === 0
    }),
})

/** A portal for one test file with its own push service. `env` has further variables. */
export async function pushPortal(env: Record<string, string> = { PUSH_INTERNAL_HOSTS: PUSH_HOST }, log?: Parameters<typeof testPortal>[1]) {
  const service = await startPushService()
  service.trust()
  after(service.close)
  const vapid = webpush.generateVAPIDKeys()
  const portal = testPortal({ VAPID_PUBLIC_KEY: vapid.publicKey, VAPID_PRIVATE_KEY: vapid.privateKey, ...env }, log)
  const make = makers(portal)
  const helpers = pushing(portal)
  return {
    service,
    vapid,
    portal,
    make,
    ...helpers,
    /** A person with a subscribed browser. */
    async newReader(fields: PersonFields = {}) {
      const person = await make.newPerson(fields)
      const browser = service.newBrowser()
      await helpers.subscribe(person, browser)
      return { person, browser }
    },
  }
}
