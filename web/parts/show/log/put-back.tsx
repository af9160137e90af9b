import { useSignal } from '@preact/signals'
import { isolated } from '../../../platform/language.ts'
import { say } from '../../overlay/toasts.tsx'
import { Button } from '../button.tsx'
import { type Preview, Previewed } from '../history/previewed.tsx'
import { t as words } from '../history/texts.ts'
import { type Entry, revertedBy } from './entries.ts'
import { labelOf } from './fields.ts'
import { t } from './texts.ts'

/** Formats a value for a sentence. */
export function written(value: unknown): string {
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (value === null || value === undefined || value === '') return t.nothing
  if (Array.isArray(value))
    return value.map((one) => isolated(String((one as { name?: unknown } | null)?.name ?? one))).join(t.comma) || t.nothing
  return isolated(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const isSimple = (value: unknown) => value === null || typeof value !== 'object' || Array.isArray(value)
/**
 * The fields that a revert changes, with both values. Sets and references are left out, because the consequences show them, and so are
 * objects.
 */
export const goingBack = (entry: Entry) =>
  revertedBy(entry).flatMap((one) =>
    'of' in one || ![one.from, one.to].every(isSimple) || /Ids?$/.test(one.field)
      ? []
      : t.goesBack(labelOf(one.field), written(one.to), written(one.from)),
  )

interface PutBackProps {
  ask: () => Promise<Preview>
  run: () => Promise<unknown>
}

/** Reverts an entry after a preview. */
export function PutBackEntry({ ask, run }: PutBackProps) {
  /** The element around the pressed button, while the preview is open. */
  const place = useSignal<Element | null>(null)
  const close = () => {
    const around = place.peek()
    place.value = null
    requestAnimationFrame(() => around?.querySelector<HTMLElement>(':scope > .button')?.focus())
  }
  if (!place.value)
    return (
      <Button
        kind="plain"
        icon="undo-2"
        onClick={({ currentTarget }) => {
          place.value = currentTarget.parentElement
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
      ask={ask}
      run={() => run().then(() => say({ text: words.done }))}
      close={close}
    />
  )
}
