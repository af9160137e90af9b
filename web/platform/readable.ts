/** The types of reads, by the addresses of the portal's document. */
import type { paths } from './client.ts'

/** An address that answers a GET with JSON. */
export type Readable = {
  [P in keyof paths]: paths[P] extends { get: { responses: { 200: { content: { 'application/json': unknown } } } } } ? P : never
}[keyof paths]
export type Reply<P extends Readable> = paths[P] extends { get: { responses: { 200: { content: { 'application/json': infer R } } } } }
  ? R
  : never
export type Parameters<P extends Readable> = paths[P] extends { get: { parameters: infer A } }
  ? (A extends { path: infer V } ? { path: V } : { path?: undefined }) &
      (A extends { query?: infer Q } ? { query?: Q } : { query?: undefined })
  : never

/** The cached answer of an address. `data` stays while it is fetched again, and if that fails. */
export interface Resource<T> {
  /** Reading it in a component subscribes the component. */
  readonly data: T | undefined
  readonly error: Error | undefined
  readonly isFetching: boolean
  /** The time of `data`, in ms since 1970; 0 without data. */
  readonly updatedAt: number
  /** The portal's version of `data`, for `ifMatch`; undefined if unknown. A form stores both when it opens. */
  readonly version: string | undefined
  /** If `data` is a part of a list: the length of the whole list, if the portal has sent it. */
  readonly total: number | undefined
  /** The present data, without subscribing. */
  peek(): T | undefined
  /** Fetches the data even if they are fresh. Waits for a fetch under way first, as that may have begun before a change. Never throws. */
  refresh(): Promise<void>
  /** Returns fresh data, or the older data if reading takes long or fails. Throws the portal's refusal if there is no data. */
  load(): Promise<T>
  /** Changes the data without a call. Returns a function that undoes it. */
  change(by: (now: T) => T): () => void
}
