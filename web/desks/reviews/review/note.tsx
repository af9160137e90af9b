import { useSignal } from '@preact/signals'
import { TextArea } from '../../../parts/forms/field.tsx'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { isolated } from '../../../platform/language.ts'
import type { Item, Verdict } from '../data.ts'
import { t } from '../texts.ts'
import { grantOf, personOf } from './words.ts'

interface NoteProps {
  item: Item
  save: (verdict: Verdict, note: string | null) => void
  close: () => void
}

/** A note, saved with the decision that it explains. */
export function Note({ item, save, close }: NoteProps) {
  const text = useSignal(item.note ?? '')
  const give = (verdict: Verdict) => {
    save(verdict, text.value.trim() || null)
    close()
  }
  return (
    <Dialog
      title={t.note(isolated(personOf(item)))}
      close={close}
      end={
        <>
          <Button kind={item.verdict === 'remove' ? undefined : 'main'} onClick={() => give('keep')}>
            {t.keepWith}
          </Button>
          <Button kind={item.verdict === 'remove' ? 'main' : undefined} onClick={() => give('remove')}>
            {t.removeWith}
          </Button>
        </>
      }
    >
      <p class="quiet">
        <bdi>{grantOf(item)}</bdi>
      </p>
      <TextArea
        label={t.noteLabel}
        hint={t.noteHint}
        autoFocus
        rows={4}
        maxLength={1000}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) give(item.verdict ?? 'keep')
        }}
      />
    </Dialog>
  )
}
