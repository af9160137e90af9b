import { countPeople, findPeople, listPeople } from '../../../server/people/users/lists.ts'
import { refuseLookAlike } from '../../../server/people/users/looks.ts'
import { lockPerson, readProfile } from '../../../server/people/users/queries.ts'
import { resolvePeople } from '../../../server/people/users/resolving.ts'
import type { Samples } from '../recorder.ts'

const filter = { q: 'Sara', groupId: 1, sourceId: 2, role: 'clerk', status: 'active', seenBefore: '2026-01-01', ids: '1,2' } as const
const resolved = [[{ timeZone: 'Asia/Riyadh' }], [{ folded: 'sara' }]]

export default {
  lockPerson: {
    'for their rights': (db) => lockPerson(db([{ id: 1 }]), 1),
    'for texts': (db) => lockPerson(db([{ id: 1 }]), 1, 'texts'),
  },
  readProfile: (db) => readProfile(db([{ id: 1 }]), 1),
  countPeople: {
    'without a filter': (db) => countPeople(db([{ count: 1 }]), {}),
    'with all filters': (db) => countPeople(db(...resolved, [{ count: 1 }]), filter),
  },
  findPeople: {
    'by name': (db) => findPeople(db(), { limit: 50, offset: 0 }, 'ar'),
    'with all filters, by last use': (db) => findPeople(db(...resolved), { ...filter, sort: 'lastSeenAt', order: 'desc' }, 'en'),
  },
  listPeople: (db) => listPeople(db([{ id: 1 }]), {}, 'en', []),
  refuseLookAlike: (db) => refuseLookAlike(db([{ folded: 'sara' }]), 'sara', 409),
  resolvePeople: (db) => resolvePeople(db([{ folded: 'sara' }]), ['Sara'], 'en'),
} satisfies Samples
