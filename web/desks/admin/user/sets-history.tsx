import { usePages } from '../../../parts/lists/pages.tsx'
import { History } from '../../../parts/show/history/history.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import type { Schemas } from '../../../platform/client.ts'
import { isolated, listed, nameOf } from '../../../platform/language.ts'
import { endSentences, endsOfAdded, isExpiry, overSentence, withEnds } from '../shared/ends/history.ts'
import { reverting } from '../shared/reverting.ts'
import { type Profile, personChanged, setsOf } from './data.ts'
import { t } from './texts.ts'

type Change = Schemas['PermissionAuditEntry']

/** The current titles of groups and roles; for deleted ones, the last known. */
function titlesOf({ changeKind, refs }: Change, ids: readonly number[], names: readonly string[]) {
  const known = changeKind === 'user.roles' ? refs.roles : refs.groups
  return ids.map((id, index) => {
    const one = known?.[id]
    return isolated(one ? titleOf(one) : (names[index] ?? ''))
  })
}

function sentenceOf(change: Change) {
  const by = isolated(change.actor ? nameOf(change.actor) : t.portal)
  const isRoles = change.changeKind === 'user.roles'
  const [came, went] = isRoles ? [t.rolesAdded, t.rolesRemoved] : [t.groupsAdded, t.groupsRemoved]
  const kind = isRoles ? 'role' : 'group'
  const added = titlesOf(change, change.addedIds, change.addedNames)
  const removed = titlesOf(change, change.removedIds, change.removedNames)
  if (isExpiry(change)) return overSentence(kind, by, listed(removed))
  const until = withEnds(added, endsOfAdded(change), listed)
  const ends = endSentences(change, kind, by, (id) => titlesOf(change, [id], [])[0]!)
  return [
    ...(added.length ? [came(by, until, added.length)] : []),
    ...(removed.length ? [went(by, listed(removed), removed.length)] : []),
    ...ends,
  ].join(t.next)
}

/** The changes of a person's groups and direct roles, wherever they were made. Each can be reverted, except an expiry. */
export function SetsHistory({ person }: { person: Profile }) {
  const { first, rows, more } = usePages({ of: (offset) => setsOf(person.id, offset), rows: ({ entries }) => entries, id: ({ id }) => id })
  const entries = rows.map((change) => {
    const { id, createdAt, actor } = change
    return { id, createdAt, actor, sentence: sentenceOf(change), isFixed: isExpiry(change) }
  })
  return (
    <Loaded of={first} shape={<Skeleton count={5} shape="line" height={3} />}>
      {() => (
        <History
          entries={entries}
          putBack={reverting(
            'user',
            () => personChanged(person.id),
            (entryId, id) => {
              const change = rows.find((one) => one.id === entryId)
              return change && titlesOf(change, [id], [])[0]
            },
          )}
        >
          {more}
        </History>
      )}
    </Loaded>
  )
}
