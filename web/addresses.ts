/**
 * The addresses of the portal. The server answers each of them with the same page; `routes.ts` finds the room of an address. The addresses
 * of desks are in `desk-addresses.ts`.
 */

/** The people who may open an address; by default, every signed-in person. */
export type Audience = 'anyone' | 'signed-in' | 'receiver' | 'executive' | 'admin'

interface Address {
  /** The folder of the room or desk. */
  room: string
  audience?: Audience
}

/** `:id` is a number; `:list` and `:kind` are one of a few words; `:rest` is an address of the desk. The first match counts. */
export const addresses: Record<string, Address> = {
  '/': { room: 'home' },
  '/sign-in': { room: 'sign-in', audience: 'anyone' },
  '/sign-in/second': { room: 'sign-in', audience: 'anyone' },
  '/sign-in/connect': { room: 'sign-in', audience: 'anyone' },
  '/register': { room: 'sign-in', audience: 'anyone' },
  '/forgot-password': { room: 'sign-in', audience: 'anyone' },
  '/reset-password': { room: 'sign-in', audience: 'anyone' },
  '/services': { room: 'services' },
  '/orders': { room: 'orders' },
  '/orders/:id': { room: 'orders' },
  '/incoming': { room: 'receiving', audience: 'receiver' },
  '/team': { room: 'team' },
  '/approvals(?:/:id)?': { room: 'approvals' },
  '/notes': { room: 'notes' },
  '/notes/received': { room: 'notes' },
  '/notes/sent': { room: 'notes' },
  '/notes/:id': { room: 'notes' },
  '/notifications': { room: 'notifications' },
  '/apps/:slug': { room: 'apps' },
  '/account': { room: 'account' },
  '/account/security': { room: 'security' },
  '/enrol': { room: 'security' },
  '/reviews/:rest': { room: 'reviews' },
  '/access(?:/:list|/:kind/:id)?': { room: 'my-access' },
  '/meetings/:rest': { room: 'meetings', audience: 'executive' },
  '/admin/:rest': { room: 'admin', audience: 'admin' },
}

export interface PageProps {
  /** The values of the `:` parameters of the address. */
  params: Record<string, string>
}

const values: Record<string, string> = {
  id: '[1-9]\\d{0,9}',
  date: '\\d{4}-\\d\\d-\\d\\d',
  slug: '[^/]+',
  list: 'offers|requests|review',
  kind: 'groups|roles|requests',
}

/** A regular expression for an address, with its `:` parameters as named groups. */
export const patternOf = (address: string) =>
  new RegExp(`^${address.replace('/:rest', '(?:/(?<rest>.*))?').replace(/:(\w+)/g, (_, name) => `(?<${name}>${values[name]})`)}$`)

/** The largest id that a record can have. */
const MOST = 2 ** 31 - 1

/**
 * The values of an address's `:` parameters, decoded; undefined if the address does not match, has an id that is too large, or cannot be
 * decoded.
 */
export function paramsOf(pattern: RegExp, address: string): Record<string, string> | undefined {
  const found = pattern.exec(address)
  if (Number(found?.groups?.['id'] ?? 0) > MOST) return undefined
  try {
    return found
      ? Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value ?? '')]))
      : undefined
  } catch {
    return undefined
  }
}
