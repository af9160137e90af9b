import { resource } from '../../platform/cache.ts'

/** What the person may do with the executive's meetings. */
export const standing = resource('/executive-meetings/me')
