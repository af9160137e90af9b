/** The pages of the demo's apps, by the app's slug. */
import { building } from './building.ts'
import { company } from './company.ts'
import { money } from './money.ts'
import type { Page } from './parts.ts'
import { staff } from './staff.ts'
import { work } from './work.ts'

export const pages = new Map<string, Page>(Object.entries({ ...company, ...staff, ...building, ...money, ...work }))
