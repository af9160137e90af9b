/**
 * Finds what draws an address: a room, which is a folder with a `page.tsx`, or a desk, one with a `desk.tsx` and rooms of its own. Each is
 * loaded when first entered.
 */
import type { ComponentType } from 'preact'
import { addresses, type PageProps, paramsOf, patternOf } from './addresses.ts'

const files = import.meta.glob<{ default: ComponentType<PageProps> }>('./*/{page,desk}.tsx')
const rooms = new Map(Object.entries(files).map(([file, load]) => [file.split('/')[1], load]))
const routes = Object.entries(addresses).map(([path, { room, audience = 'signed-in' }]) => ({
  audience,
  pattern: patternOf(path),
  load: rooms.get(room)!,
}))

/** What answers an address, or undefined where nothing does. */
export function findRoute(address: string) {
  for (const { pattern, ...route } of routes) {
    const params = paramsOf(pattern, address)
    if (params) return { ...route, params }
  }
  return undefined
}
