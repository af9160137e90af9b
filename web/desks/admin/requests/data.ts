import { resource } from '../../../platform/cache.ts'
import type { Schemas } from '../../../platform/client.ts'

export type Request = Schemas['AccessRequest']

export const statuses = ['pending', 'approved', 'denied', 'withdrawn', 'lapsed'] as const

/** The pending requests. Only their count is used, so one item is enough. */
export const waiting = resource('/access-requests', { query: { view: 'all', status: 'pending', limit: 1 } })
