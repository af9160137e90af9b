/** Uploads as a browser makes them, and the contents of the store. */
import { connect } from 'node:net'
import { request } from 'undici'
import type { Client, TestPortal } from './portal.ts'
import { recordRefusal } from './provoked.ts'

export interface Place {
  address: string
  /** The path from which GET reads the object. */
  path: string
  objectPath: string
  uuid: string
}
export const text = (size: number, seed = 'سلام ') => Buffer.alloc(size, seed)

/** Sends the head of an upload and half of its body, and keeps the connection open. */
export function sendHalf({ address }: Place, size: number) {
  const { hostname, port, pathname, search } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {}).resume()
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: portal\r\nContent-Type: text/plain\r\nContent-Length: ${size}\r\n\r\n`)
  socket.write(text(size / 2))
  return socket
}

export function uploads(portal: TestPortal) {
  /** Requests an upload; the URL is on the instance that received the request. */
  async function placeFor(size: number, { name = 'note.txt', contentType = 'text/plain', who = portal.admin as Client, base = '' } = {}) {
    const { status, body, text: said } = await who.post('/storage/uploads/request-url', { name, size, contentType })
    if (status !== 200) throw new Error(said)
    const { pathname, search } = new URL(body.uploadURL)
    const { objectPath } = body as { objectPath: string }
    return { address: (base || portal.base) + pathname + search, path: `/storage${objectPath}`, objectPath, uuid: objectPath.slice(-36) }
  }
  async function put({ address }: { address: string }, body: Buffer | AsyncIterable<Buffer>, headers: Record<string, string> = {}) {
    const answer = await request(address, { method: 'PUT', body: body as Buffer, headers: { 'content-type': 'text/plain', ...headers } })
    const said = await answer.body.text()
    const refusal = said ? JSON.parse(said) : undefined
    recordRefusal('PUT', new URL(address).pathname.replace(/^\/api/, ''), refusal?.code)
    return { status: answer.statusCode, body: refusal }
  }
  async function stored(body: Buffer, options: Parameters<typeof placeFor>[1] = {}) {
    const place = await placeFor(body.length, options)
    const { status } = await put(place, body, { 'content-type': options.contentType ?? 'text/plain' })
    if (status !== 204) throw new Error(`not taken: ${status}`)
    return place
  }
  /** The path of a picture that a person has uploaded. */
  const picture = async (who?: Client) => (await stored(text(10), { contentType: 'image/png', ...(who && { who }) })).objectPath
  async function read(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
    const answer = await request(`${portal.base}/api${path}`, { method, headers: { cookie: portal.admin.cookie, ...headers } })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    if (answer.statusCode >= 400 && method === 'GET') recordRefusal(method, path, JSON.parse(String(bytes)).code)
    return { status: answer.statusCode, headers: answer.headers, bytes }
  }
  /** The keys of everything in the store, including incomplete uploads. */
  async function contents() {
    const keys: string[] = []
    for await (const some of portal.instance.objects.listBefore(new Date(Date.now() + 60_000))) keys.push(...some)
    return keys
  }
  return { placeFor, put, stored, picture, read, contents }
}
