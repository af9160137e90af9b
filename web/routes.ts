/** Every address of the portal and the room that answers it. A room is a folder with a `page.tsx`; it is loaded when first entered. */
import type { ComponentType } from 'preact'

export interface PageProps {
  /** The parts of the address after `:`. */
  params: Record<string, string>
}

interface Route {
  /** Below which folder the room's `page.tsx` is. */
  room: string
  /** Open to who is not signed in. */
  isPublic?: true
}

const rooms = import.meta.glob<{ default: ComponentType<PageProps> }>(['./*/page.tsx', './{meetings,admin}/*/page.tsx'])

/** The first that fits an address answers it. `:id` is a number; the desks share one row each until they are built. */
const table: Record<string, Route> = {
  '/': { room: 'home' },
  '/sign-in': { room: 'sign-in', isPublic: true },
  '/register': { room: 'sign-in', isPublic: true },
  '/forgot-password': { room: 'sign-in', isPublic: true },
  '/reset-password': { room: 'sign-in', isPublic: true },
  '/services': { room: 'services' },
  '/orders': { room: 'orders' },
  '/orders/:id': { room: 'orders' },
  '/incoming': { room: 'receiving' },
  '/notes': { room: 'notes' },
  '/notes/received': { room: 'notes' },
  '/notes/sent': { room: 'notes' },
  '/notes/:id': { room: 'notes' },
  '/notifications': { room: 'notifications' },
  '/apps/:slug': { room: 'apps' },
  '/account': { room: 'account' },
  '/meetings': { room: 'meetings' },
  '/meetings/:office': { room: 'meetings' },
  '/admin/:desk': { room: 'admin' },
}

const id = '[1-9]\\d{0,9}'
const date = '\\d{4}-\\d\\d-\\d\\d'
const values: Record<string, string> = {
  id,
  slug: '[^/]+',
  office: `${date}|${id}|archives|log|(requests|tasks)(/${id})?`,
  desk: `(users|groups|roles|apps)(/${id})?|permissions|services|orders|access|statistics|audit|settings|system`,
}
const patterns = Object.entries(table).map(([path, route]) => ({
  ...route,
  path,
  pattern: new RegExp(`^${path.replace(/:(\w+)/g, (_, name) => `(?<${name}>${values[name]})`)}$`),
}))

export interface Found {
  room: string
  isPublic: boolean
  /** The address as the table has it, such as `/orders/:id`. */
  path: string
  params: Record<string, string>
  /** Undefined while the room is not built. */
  load: (() => Promise<{ default: ComponentType<PageProps> }>) | undefined
}

/** What answers an address, or undefined where nothing does. */
export function findRoute(address: string): Found | undefined {
  for (const { pattern, room, isPublic = false, path } of patterns) {
    const found = pattern.exec(address)
    if (!found) continue
    try {
      const params = Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]))
      return { room, isPublic, path, params, load: rooms[`./${room}/page.tsx`] }
    } catch {
      // It cannot be decoded, and names nothing.
      return
    }
  }
}
