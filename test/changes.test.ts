/** What follows from each kind of change. A kind that should notify people or have a history, and does not, is seen in test/changes.txt. */
import { test } from 'node:test'
import { changeKinds } from '../server/lists/changes.ts'
import type { AnyKind } from '../server/platform/changes/change-kind.ts'
import { assertPage } from './one-page.ts'

test('what each kind of change causes, on one page', (t) => {
  const lines = Object.entries<AnyKind>(changeKinds).map(([name, { audits, histories, notifies, emits }]) => {
    const causes = [audits !== 'nothing' && 'audit', histories && 'histories', notifies && 'notices', emits !== 'nothing' && 'events']
    return `${name.padEnd(36)}${causes.filter(Boolean).join(' ')}`.trimEnd()
  })
  assertPage(t, lines.toSorted(), new URL('changes.txt', import.meta.url))
})
