/**
 * Finds the room or desk of an address: a folder with a `page.tsx`, or with a `desk.tsx` and pages of its own. Each is loaded when first
 * entered.
 */
import type { ComponentType } from 'preact'
import { addresses, type PageProps, paramsOf, patternOf } from './addresses.ts'

const files = import.meta.glob<{ default: ComponentType<PageProps> }>('./{people,desks}/*/{page,desk}.tsx')
const rooms = new Map(Object.entries(files).map(([file, load]) => [file.split('/')[2], load]))
const routes = Object.entries(addresses).map(([path, { room, audience = 'signed-in' }]) => ({
  audience,
  pattern: patternOf(path),
  load: rooms.get(room)!,
}))

/** The room or desk of an address, or undefined if there is none. */
export function findRoute(address: string) {
  for (const { pattern, ...route } of routes) {
    const params = paramsOf(pattern, address)
    if (params) return { ...route, params }
  }
  return undefined
}
