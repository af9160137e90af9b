/** The pages of the demo's apps, by the app's slug. */
import { building } from './contents/building.ts'
import { company } from './contents/company.ts'
import { money } from './contents/money.ts'
import { staff } from './contents/staff.ts'
import { work } from './contents/work.ts'
import type { Page } from './parts.ts'

export const pages = new Map<string, Page>(Object.entries({ ...company, ...staff, ...building, ...money, ...work }))
