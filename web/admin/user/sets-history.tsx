import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { History } from '../../parts/history/history.tsx'
import { Loaded, Skeleton } from '../../parts/skeleton.tsx'
import { titleOf } from '../../parts/title.ts'
import { answer, api, type Schemas } from '../../platform/client.ts'
import { isolated, nameOf } from '../../platform/language.ts'
import { PAGE, type Profile, personChanged, setsOf } from './data.ts'
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
  const [came, went] = change.changeKind === 'user.roles' ? [t.rolesAdded, t.rolesRemoved] : [t.groupsAdded, t.groupsRemoved]
  const added = titlesOf(change, change.addedIds, change.addedNames)
  const removed = titlesOf(change, change.removedIds, change.removedNames)
  return [...(added.length ? [came(by, added)] : []), ...(removed.length ? [went(by, removed)] : [])].join(t.next)
}

const revert = (entryId: number, dryRun: boolean) =>
  answer(api.POST('/admin/history/{kind}/{entryId}/revert', { params: { path: { kind: 'user', entryId } }, body: { dryRun } }))

/** The changes of a person's groups and direct roles, on any page. Each can be reverted. */
export function SetsHistory({ person }: { person: Profile }) {
  const shown = useSignal(1)
  const pages = Array.from({ length: shown.value }, (_, page) => setsOf(person.id, page * PAGE))
  const changes = [...new Map(pages.flatMap(({ data }) => data?.entries ?? []).map((change) => [change.id, change])).values()]
  const entries = changes.map((change) => {
    const { id, createdAt, actor } = change
    return { id, createdAt, actor, sentence: sentenceOf(change) }
  })
  return (
    <Loaded of={pages[0]!} shape={<Skeleton count={5} shape="line" height={3} />}>
      {({ totalCount }) => (
        <History
          entries={entries}
          putBack={{
            preview: async ({ id }) => ({ impact: (await revert(id, true)) as Schemas['Impact'] }),
            run: ({ id }) => revert(id, false).then(() => personChanged(person.id)),
          }}
        >
          {totalCount > shown.value * PAGE && (
            <Button
              onClick={() => {
                shown.value++
              }}
            >
              {t.moreRows}
            </Button>
          )}
        </History>
      )}
    </Loaded>
  )
}
