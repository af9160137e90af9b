/** The shape of a preview: the people who would lose or gain something, with what they would lose or gain. */
import type { Schemas } from '../../../platform/client.ts'
import type { Titled } from '../../show/title.ts'

type Person = Schemas['PersonSummary']
type App = { id: number; nameAr: string; nameEn: string }

export interface Gain {
  user: Person
  roles: readonly (Titled & { id: number })[]
  rolesCount: number
  apps: readonly App[]
  appsCount: number
  /** The apps that the person still sees, for a reason that the change does not remove. */
  keeps: readonly { app: App; via: Schemas['KeptReason']; role: Titled | null }[]
  keepsCount: number
}

export interface Impact {
  loses: readonly Gain[]
  losesCount: number
  gains: readonly Gain[]
  gainsCount: number
  /** People who lose one reason to see an app but keep the app. */
  keeps: readonly Gain[]
  keepsCount: number
  ordersReturned: readonly { orderId: number; service: { nameAr: string; nameEn: string }; user: Person }[]
  ordersReturnedCount: number
  sessionsEnded: number
  becomesAdmin: readonly Person[]
  becomesAdminCount: number
  lastAdmin: boolean
  self: { losesAdmin: boolean }
  unaffectedCount: number
  noChange: boolean
}
