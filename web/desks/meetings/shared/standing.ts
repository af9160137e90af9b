import { resource } from '../../../platform/cache.ts'

/** The person's rights in the executive's meetings. */
export const standing = resource('/executive-meetings/me')
