import { adminsMoved, findByExternalId, membersOf, peopleAmong } from '../../../../server/identity/scim/group-queries.ts'
import { listGroups } from '../../../../server/identity/scim/group-resource.ts'
import {
  type CallingSource,
  listSources,
  readSource,
  readStandingOfGroup,
  readStandingOfPerson,
} from '../../../../server/identity/scim/queries.ts'
import { sourceReminders } from '../../../../server/identity/scim/reminders.ts'
import { readAsked } from '../../../../server/identity/scim/resource.ts'
import { listPeople } from '../../../../server/identity/scim/user-lists.ts'
import {
  countDeactivation,
  findAdoptable,
  findHeld,
  findMatches,
  findVisible,
  noteHeld,
} from '../../../../server/identity/scim/user-queries.ts'
import { checkMayGive } from '../../../../server/people/groups/policies.ts'
import { findSwitchedOff } from '../../../../server/people/users/queries.ts'
import { readConfig } from '../../../../server/platform/config.ts'
import { noteDue } from '../../../../server/platform/jobs/reminders.ts'
import type { Samples } from '../../recorder.ts'

const config = readConfig({})
const source: CallingSource = {
  id: 1,
  userId: 2,
  name: 'entra',
  isActive: true,
  adoptPeople: true,
  adoptGroups: true,
  nameLanguage: 'auto',
  mayGrantAdmin: false,
  invite: false,
  createdAt: new Date(0),
}
const none = [{ total: 0 }]
const people = {
  conditions: 'userName co "a" and (name.givenName eq "b" or emails[type eq "work" and value sw "c"])',
  name: 'userName eq "a"',
}
const groups = {
  conditions: 'id eq "3" and members eq "5"',
  members: 'members[value eq "5"] or members[value pr]',
  name: 'displayName eq "Sales"',
}
const person = { id: 3, kind: 'person', sourceId: 1, removedAt: null, isException: false }

export default {
  listSources: (db) => listSources(db(), config),
  readSource: (db) => readSource(db([{ heldAt: null }]), config, 1),
  findVisible: (db) => findVisible(db([person]), source, 3),
  findMatches: (db) => findMatches(db(), source, { userName: 'a', externalId: 'b', email: 'a@example.org' }),
  findAdoptable: (db) => findAdoptable(db(), source, 'a'),
  findHeld: (db) => findHeld(db(), 1, [3]),
  countDeactivation: (db) => countDeactivation(db([{ n: 1, before: null, active: 9, allowance: 0 }]), 1, () => false),
  noteHeld: (db) => noteHeld(db([{ begins: true }]), 1, 3),
  listPeople: {
    all: (db) => listPeople(db(none), config, source, readAsked('User', {})),
    'by conditions': (db) => listPeople(db([], none), config, source, readAsked('User', { filter: people.conditions })),
    'by userName': (db) => listPeople(db([], none), config, source, readAsked('User', { filter: people.name })),
  },
  listGroups: {
    all: (db) => listGroups(db(none), config, source, readAsked('Group', {})),
    'by conditions': (db) => listGroups(db([], none), config, source, readAsked('Group', { filter: groups.conditions })),
    'by members': (db) => listGroups(db([], none), config, source, readAsked('Group', { filter: groups.members })),
    'by displayName': (db) => listGroups(db([], none), config, source, readAsked('Group', { filter: groups.name })),
  },
  adminsMoved: (db) => adminsMoved(db(), source, [4]),
  findByExternalId: (db) => findByExternalId(db(), 1, 'a'),
  readStandingOfPerson: (db) => readStandingOfPerson(db([{}]), 3),
  readStandingOfGroup: (db) => readStandingOfGroup(db([{}]), 4),
  membersOf: (db) => ({ chunks: membersOf(db([{ id: 3, display: 'Huda' }]), 1, 4) }),
  noteDue: async (db) => {
    for (const reminders of sourceReminders) await noteDue(db(), reminders)
  },
  peopleAmong: (db) => peopleAmong(db(), 1, [3]),
  findSwitchedOff: (db) => findSwitchedOff(db(), [3]),
  checkMayGive: (db) => checkMayGive(db(), [4], [1]),
} satisfies Samples
