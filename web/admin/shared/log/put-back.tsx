import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { Previewed } from '../../../parts/history/previewed.tsx'
import { t as words } from '../../../parts/history/texts.ts'
import { say } from '../../../parts/toasts.tsx'
import { invalidate } from '../../../platform/cache.ts'
import { isolated } from '../../../platform/language.ts'
import { reverting } from '../reverting.ts'
import { differencesOf, type Entry } from './entries.ts'
import { labelOf } from './fields.ts'
import { t } from './texts.ts'

/** Whether the portal puts back what an action did: changes of fields and of sets, no creation and no deletion. */
const canPutBack = ({ action }: Entry) => /^(?!note|auth).*\.(update|add|remove|replace)$/.test(action)

const written = (value: unknown) =>
  typeof value === 'boolean' ? (value ? t.yes : t.no) : value === null || value === '' ? t.nothing : isolated(String(value))

/** The fields that go back, with both values; the sets and records among them are told by their consequences. */
const fieldsOf = (entry: Entry) =>
  differencesOf(entry).flatMap((one) =>
    'of' in one || [one.from, one.to].some((value) => value !== null && typeof value === 'object') || /Ids?$/.test(one.field)
      ? []
      : t.goesBack(labelOf(one.field), written(one.to), written(one.from)),
  )

/** Puts back what an entry changed, after its preview. */
export function PutBack({ entry }: { entry: Entry }) {
  const isOpen = useSignal(false)
  const { preview, run } = useMemo(() => reverting('audit', invalidate), [])
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
      ask={async () => ({ ...(await preview(entry)), fields: fieldsOf(entry) })}
      run={() => run(entry).then(() => say({ text: words.done }))}
      close={close}
    />
  )
}
