/** Objects in a bucket of an S3-compatible store, below `uploads/`. */
import { AwsClient } from 'aws4fetch'
import { Agent, type Dispatcher, request } from 'undici'
import type { Config } from '../config.ts'
import { Refusal, refuse } from '../errors/refusal.ts'
import type { Objects } from './store.ts'

const PREFIX = 'uploads/'
const CONNECT_WITHIN_MS = 3000
const ANSWER_WITHIN_MS = 15_000
const DONE_WITHIN_MS = 15 * 60_000

interface Call {
  headers?: Record<string, string>
  body?: AsyncIterable<Buffer>
  size?: number
}

export function openBucket({ endpoint, bucket, region, accessKeyId, secretAccessKey }: NonNullable<Config['s3']>): Objects {
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_WITHIN_MS },
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
  })

  /** The answer, with one of the expected statuses. Refuses `unavailable` when the store cannot be reached or fails. */
  async function ask(method: Dispatcher.HttpMethod, path: string, wanted: number[], { headers = {}, body, size }: Call = {}) {
    const url = `${endpoint}/${bucket}${path}`
    const signed = Object.fromEntries((await signer.sign(url, { method, headers })).headers)
    const answer = await request(url, {
      method,
      headers: size === undefined ? signed : { ...signed, 'content-length': String(size) },
      body: (body ?? null) as Dispatcher.DispatchOptions['body'],
      dispatcher,
      signal: AbortSignal.timeout(DONE_WITHIN_MS),
    }).catch((error) => {
      throw Object.assign(new Refusal('unavailable', { retryAfter: 5 }), { message: `the object store: ${error.message}` })
    })
    if (wanted.includes(answer.statusCode)) return answer
    await answer.body.dump()
    if (answer.statusCode >= 500) refuse('unavailable', { retryAfter: 5 })
    throw new Error(`the object store answers ${method} with ${answer.statusCode}`)
  }
  const pathOf = (key: string) => `/${PREFIX}${key}`

  /** One page of keys: those after the last key of the previous page. */
  async function list(after: string) {
    const { body } = await ask('GET', `?list-type=2&prefix=${PREFIX}&start-after=${PREFIX}${after}`, [200])
    return [...(await body.text()).matchAll(/<Contents>.*?<\/Contents>/gs)].map(([entry]) => ({
      key: /<Key>(.*?)<\/Key>/s.exec(entry)![1]!.slice(PREFIX.length),
      written: new Date(/<LastModified>(.*?)<\/LastModified>/s.exec(entry)![1]!),
    }))
  }

  async function remove(key: string) {
    const { body } = await ask('DELETE', pathOf(key), [200, 204, 404])
    await body.dump()
  }

  async function put(bytes: AsyncIterable<Buffer>, size: number, key: string) {
    try {
      const { body } = await ask('PUT', pathOf(key), [200], { body: bytes, size })
      await body.dump()
    } catch (error) {
      // Not every store discards an aborted upload by itself.
      await remove(key).catch(() => {})
      throw error
    }
    return key
  }

  /** The running uploads. `close` waits for them, so that those that the stop aborts are still removed. */
  const underWay = new Set<Promise<string>>()
  function noted(putting: Promise<string>) {
    underWay.add(putting)
    const forget = () => underWay.delete(putting)
    putting.then(forget, forget)
    return putting
  }

  return {
    put: (bytes, size, key = crypto.randomUUID()) => noted(put(bytes, size, key)),
    async sizeOf(key) {
      const { statusCode, headers, body } = await ask('HEAD', pathOf(key), [200, 404])
      await body.dump()
      return statusCode === 200 ? Number(headers['content-length']) : null
    },
    async read(key, { start, end }) {
      const answer = await ask('GET', pathOf(key), [200, 206, 404], { headers: { range: `bytes=${start}-${end}` } })
      // A store that ignores the range answers 200 with the whole object; that is fine only if the whole was asked for.
      const isWhole = start === 0 && Number(answer.headers['content-length']) === end + 1
      if (answer.statusCode === 206 || (answer.statusCode === 200 && isWhole)) return answer.body
      await answer.body.dump()
      if (answer.statusCode === 404) refuse('not_found')
      throw new Error('the object store answers the request for a part with the whole object')
    },
    room: async () => null,
    remove,
    async *listBefore(time) {
      for (let page = await list(''); page.length; page = await list(page.at(-1)!.key)) {
        const keys = page.filter(({ written }) => written < time).map(({ key }) => key)
        if (keys.length) yield keys
      }
    },
    async close() {
      await Promise.allSettled(underWay)
      await dispatcher.destroy()
    },
  }
}
