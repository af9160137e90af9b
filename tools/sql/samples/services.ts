import { sql } from 'kysely'
import { Actor } from '../../../server/platform/auth/actor.ts'
import { pageNaming } from '../../../server/work/services/dependents.ts'
import { findCrewOf, findServicesForOnly, listCatalogue } from '../../../server/work/services/handlings.ts'
import {
  countServices,
  emptyCategory,
  findKnownService,
  isKnownTo,
  listServices,
  pageOrdersOf,
} from '../../../server/work/services/queries.ts'
import { readHome } from '../../../server/work/stats/queries.ts'
import type { Samples } from '../recorder.ts'

const page = { limit: 50, offset: 0 }
const access = { roles: [], permissions: new Set<string>(), groups: [], groupIds: new Set([5]) }
const reader = new Actor({ id: 1, kind: 'person', username: 'sara', language: 'ar', access, version: 1, epoch: 1, edition: 1 })

export default {
  pageOrdersOf: (db) => pageOrdersOf(db([{ orderCount: 1 }]), 1, page),
  emptyCategory: (db) => emptyCategory(db(), 1),
  isKnownTo: (db) => sql`select from services where ${isKnownTo(reader)}`.execute(db()),
  listServices: (db) => listServices(db(), reader, page),
  countServices: (db) => countServices(db([{ count: 1 }]), reader),
  findKnownService: (db) => findKnownService(db([{ id: 1 }]), 1, reader),
  readHome: (db) => readHome(db([{ totalServices: 1 }]), reader),
  findCrewOf: (db) => findCrewOf(db(), 1),
  listCatalogue: (db) => listCatalogue(db(), reader, page),
  pageNaming: (db) => pageNaming(db([], [{ count: 1 }]), 5, page, 'ar'),
  findServicesForOnly: (db) => findServicesForOnly(db(), 5),
} satisfies Samples
