import { resource } from '../../../../platform/cache.ts'
import type { Schemas } from '../../../../platform/client.ts'

export type Health = Schemas['PortalHealth']
export type Version = Schemas['SystemVersionResponse']

export const health = resource('/admin/health')
export const version = resource('/system/version')
