/** Pictures from other servers: fetched once and stored, so that no page loads anything from elsewhere. */
import { createHash } from 'node:crypto'
import { refuseField } from '../errors/refusal.ts'
import type { Outbound } from '../outbound.ts'
import type { Objects } from './store.ts'

const MOST_BYTES = 5 * 1024 * 1024

/** The first bytes of each kind of raster picture and, for some, the bytes from the ninth on. */
const beginnings: [contentType: string, first: string, after?: string][] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF8'],
  ['image/bmp', 'BM'],
  ['image/webp', 'RIFF', 'WEBP'],
]
/** The media type of a raster picture by its bytes, not by the type that the server sent; undefined for anything else. */
export function pictureType(bytes: Buffer) {
  const text = bytes.toString('latin1', 0, 16)
  if (/^ftypavi[fs]/.test(text.slice(4))) return 'image/avif'
  return beginnings.find(([, first, after = '']) => text.startsWith(first) && text.startsWith(after, after ? 8 : 0))?.[0]
}

export interface StoredPicture {
  name: string
  size: number
  contentType: string
  key: string
  etag: string
}

interface Fetching {
  pictures: Pick<Outbound, 'fetch'>
  objects: Objects
  actor: { id: number }
  ifMatch?(read: () => unknown): Promise<void>
}

/** Whether a picture is fetched from this address. */
export const isFetched = (address: string | null | undefined) => address?.startsWith('https://') ?? false

/**
 * Fetches and stores the picture at an https address; returns undefined for any other value. Refuses the field if there is no picture.
 * `checkRoom` refuses a size before anything is stored, because bytes that nothing refers to stay for a day. `read` reads the record that
 * gets the picture, if there is one already: nothing is fetched unless it exists in the version that the caller expects.
 */
export async function fetchPicture(
  { pictures, objects, actor, ifMatch }: Fetching,
  field: string,
  address: string | null | undefined,
  checkRoom: (size: number) => Promise<void>,
  read?: () => Promise<unknown>,
) {
  if (!address || !isFetched(address)) return undefined
  const record = await read?.()
  await ifMatch?.(() => record)
  const refuseIt = () => refuseField(field, 'fetched', { bytes: MOST_BYTES })
  const url = URL.parse(address) ?? refuseIt()
  const { status, bytes } = await pictures.fetch(url, { mostBytes: MOST_BYTES + 1, person: actor.id }).catch(refuseIt)
  const contentType = pictureType(bytes)
  if (status !== 200 || bytes.length > MOST_BYTES || !contentType) return refuseIt()
  await checkRoom(bytes.length)
  const key = await objects.put(
    (async function* () {
      yield bytes
    })(),
    bytes.length,
  )
  const etag = createHash('sha256').update(bytes).digest('base64url')
  return { name: 'picture', size: bytes.length, contentType, key, etag } satisfies StoredPicture
}
