import { resource } from '../platform/cache.ts'

/** The person's apps in their own order. */
export const apps = resource('/apps')
