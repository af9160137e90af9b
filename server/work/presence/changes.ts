import { Type } from 'typebox'
import { given, kind } from '../../platform/changes/change-kind.ts'
import type { Person, Place } from './shapes.ts'

export const presenceChanges = {
  /** Presence is not recorded; people at the same record get an event. */
  'presence.changed': kind({
    targetType: 'user',
    facts: Type.Object({}),
    needs: { payload: given<{ place: Place; present: Person[] }>() },
    isKept: false,
    audits: 'nothing',
    emits: (_tx, { payload: { place, present } }) =>
      present.map(({ user }) => ({
        event: 'presence_changed',
        data: { ...place, people: present.filter((one) => one.user.id !== user.id) },
        to: [user.id],
      })),
  }),
}
