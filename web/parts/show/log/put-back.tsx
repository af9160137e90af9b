import { useSignal } from '@preact/signals'
import { say } from '../../overlay/toasts.tsx'
import { Button } from '../button.tsx'
import { type Preview, Previewed } from '../history/previewed.tsx'
import { t as words } from '../history/texts.ts'
import { type Entry, revertedBy } from './entries.ts'
import { labelOf } from './fields.ts'
import { t } from './texts.ts'
import { written } from './written.ts'

/**
 * The fields that a revert changes, with both values. Sets and references are left out, because the consequences show them, and so are
 * objects.
 */
export const goingBack = (entry: Entry) =>
  revertedBy(entry).flatMap((one) => {
    if ('of' in one || /Ids?$/.test(one.field)) return []
    const [is, willBe] = [written(one.field, one.to), written(one.field, one.from)]
    return is === undefined || willBe === undefined ? [] : t.goesBack(labelOf(one.field), is, willBe)
  })

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
