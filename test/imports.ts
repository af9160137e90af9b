/** Files of people, sent, applied and watched. */
import type { Client, TestPortal } from './portal.ts'
import { until } from './portal.ts'

const bytesOf = (file: string | Uint8Array) => (typeof file === 'string' ? new TextEncoder().encode(file) : file)

/** Sends a file. Its lines may be given one by one. */
export const sendFile = (as: Client, file: string | Uint8Array | readonly string[], query = '') =>
  as.send('POST', `/users/imports${query}`, bytesOf(Array.isArray(file) ? file.join('\n') : (file as string | Uint8Array)), {
    'content-type': 'text/csv',
  })

interface Row {
  line: number | null
  verdict: string
  username: string | null
  cells: object
  changes: object
  details: { path: string; rule: string; params: object; messageAr: string; messageEn: string }[]
  isDone: boolean
}

/** The rows of an import. */
export async function rowsOf(as: Client, id: number, query = '') {
  const { body } = await as.get(`/users/imports/${id}/rows?limit=200${query}`)
  return body.items as Row[]
}

/** The faults of all rows, each as `line column rule`. */
export const faultsOf = async (as: Client, id: number) =>
  (await rowsOf(as, id)).flatMap(({ line, details }) => details.map(({ path, rule }) => `${line} ${path} ${rule}`))

/** Applies an import. Returns it once it has ended. */
export async function applied(as: Client, id: number, options: object = {}) {
  const { status, text } = await as.post(`/users/imports/${id}/apply`, options)
  if (status !== 202) throw new Error(`not applied: ${text}`)
  return ended(as, id)
}
export const ended = (as: Client, id: number) =>
  until('the import has ended', async () => {
    const { body } = await as.get(`/users/imports/${id}`)
    return ['applied', 'failed'].includes(body.state) ? body : undefined
  })

/** Sends a file and applies it. Returns the import once it has ended. */
export async function imported(as: Client, file: string | readonly string[], options?: object) {
  const { status, body, text } = await sendFile(as, file)
  if (status !== 201) throw new Error(`no preview: ${text}`)
  return applied(as, body.id, options)
}

/** A person by username, as administrators see them; undefined if there is none. */
export async function personNamed(portal: TestPortal, username: string) {
  const [row] = await portal.sql<{ id: number }>('select id from users where lower(username) = lower($1)', [username])
  return row && (await portal.admin.get(`/users/${row.id}`)).body
}
