import { Type } from 'typebox'
import { given, kind } from '../platform/changes/change-kind.ts'
import type { Person, Place } from './shapes.ts'

export const presenceChanges = {
  /** Nothing is recorded of who looks at what; those who are there hear of each other. */
  'presence.changed': kind({
    targetType: 'user',
    facts: Type.Object({}),
    needs: { payload: given<{ place: Place; present: Person[] }>() },
    isKept: false,
    audits: 'nothing',
    histories: 'nothing',
    tells: 'nobody',
    emits: (_tx, { payload: { place, present } }) =>
      present.map(({ user }) => ({
        event: 'presence_changed',
        data: { ...place, people: present.filter((one) => one.user.id !== user.id) },
        to: [user.id],
      })),
  }),
}
