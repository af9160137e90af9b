/** A snapshot of the effects of each kind of change, in which a reviewer sees a missing notice or history. */
import { test } from 'node:test'
import { changeKinds } from '../server/lists/changes.ts'
import type { AnyKind } from '../server/platform/changes/change-kind.ts'
import { assertPage } from './one-page.ts'

test('test/changes.txt shows the effects of each kind of change', (t) => {
  const lines = Object.entries<AnyKind>(changeKinds).map(([name, { audits, histories, notifies, emits }]) => {
    const causes = [audits !== 'nothing' && 'audit', histories && 'histories', notifies && 'notices', emits !== 'nothing' && 'events']
    return `${name.padEnd(36)}${causes.filter(Boolean).join(' ')}`.trimEnd()
  })
  assertPage(t, lines.toSorted(), new URL('changes.txt', import.meta.url))
})
