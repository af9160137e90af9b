/** The types of reads, by the addresses of the portal's document. */
import type { paths } from './client.ts'

/** An address that answers a GET with JSON. */
export type Readable = {
  [P in keyof paths]: paths[P] extends { get: { responses: { 200: { content: { 'application/json': unknown } } } } } ? P : never
}[keyof paths]
/** The answer of an address. */
export type Reply<P extends Readable> = paths[P] extends { get: { responses: { 200: { content: { 'application/json': infer R } } } } }
  ? R
  : never
/** The parameters of an address. */
export type Parameters<P extends Readable> = paths[P] extends { get: { parameters: infer A } }
  ? (A extends { path: infer V } ? { path: V } : { path?: undefined }) &
      (A extends { query?: infer Q } ? { query?: Q } : { query?: undefined })
  : never
