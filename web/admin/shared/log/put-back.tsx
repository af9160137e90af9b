import { useSignal } from '@preact/signals'
import { Button } from '../../../parts/button.tsx'
import { say } from '../../../parts/toasts.tsx'
import { invalidate } from '../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import { isolated } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type Preview, Previewed } from '../previewed.tsx'
import { t as words } from '../texts.ts'
import { differencesOf, type Entry } from './entries.ts'
import { labelOf } from './fields.ts'
import { t } from './texts.ts'

/** Whether the portal puts back what an action did: changes of fields and of sets, no creation and no deletion. */
const canPutBack = ({ action }: Entry) => /^(?!note|auth).*\.(update|add|remove|replace)$/.test(action)

async function revert(entryId: number, body: Schemas['Reverting']) {
  return answer(api.POST('/admin/history/{kind}/{entryId}/revert', { params: { path: { kind: 'audit', entryId } }, body }))
}

const written = (value: unknown) =>
  typeof value === 'boolean' ? (value ? t.yes : t.no) : value === null || value === '' ? t.nothing : isolated(String(value))

/** The fields that go back, with both values; the sets and records among them are told by their consequences. */
const fieldsOf = (entry: Entry) =>
  differencesOf(entry).flatMap((one) =>
    'of' in one || [one.from, one.to].some((value) => value !== null && typeof value === 'object') || /Ids?$/.test(one.field)
      ? []
      : t.goesBack(labelOf(one.field), written(one.to), written(one.from)),
  )

/** What putting the entry back would do; what was changed since is told, and undone with it. */
async function preview(entry: Entry): Promise<Preview & { overwrite?: string }> {
  const { id } = entry
  const fields = fieldsOf(entry)
  try {
    return { fields, impact: (await revert(id, { dryRun: true })) as Schemas['Impact'] }
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.code === 'changed_since')) throw failure
    const changed = failure.body['fields'] as Schemas['FieldChangedSince'][]
    const overwrites = changed.map(({ field }) => t.changedSince(isolated(labelOf(field))))
    const overwrite = String(failure.body['version'])
    return { fields, impact: (await revert(id, { dryRun: true, overwrite })) as Schemas['Impact'], overwrites, overwrite }
  }
}

/** Puts back what an entry changed, after its preview. */
export function PutBack({ entry }: { entry: Entry }) {
  const isOpen = useSignal(false)
  const overwrite = useSignal<string | undefined>(undefined)
  const close = () => {
    isOpen.value = false
  }
  if (!canPutBack(entry)) return null
  if (!isOpen.value)
    return (
      <Button
        kind="plain"
        icon="undo-2"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {words.putBack}
      </Button>
    )
  return (
    <Previewed
      title={words.putBackTitle}
      verb={words.putBack}
      icon="undo-2"
      ask={async () => {
        const found = await preview(entry)
        overwrite.value = found.overwrite
        return found
      }}
      run={async () => {
        const version = overwrite.peek()
        await revert(entry.id, version === undefined ? {} : { overwrite: version })
        invalidate()
        say({ text: words.done })
      }}
      close={close}
    />
  )
}
