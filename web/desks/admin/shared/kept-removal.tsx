import { useSignal } from '@preact/signals'
import { useClosing, useSaving } from '../../../parts/forms/saving.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { isolated, named } from '../../../platform/language.ts'
import { at, onward } from '../../../platform/router.ts'

type Name = (name: string) => string
interface Words {
  removeTitle: Name
  removeHint: string
  removeYes: string
  removed: Name
  keptTitle: Name
  keptHint: string
  cancel: string
  close: string
}

/** Records of one kind that prevent a deletion: their number, in words, and the address of their list. */
export interface Keeper {
  count: number
  text: (count: number) => string
  list: string
  see: string
}

interface RemovalProps {
  record: { nameAr: string; nameEn: string }
  words: Words
  /** The address of the list of records, opened after the deletion. */
  list: string
  /** Deletes the record, or returns the records that prevent the deletion. */
  remove: () => Promise<Keeper[] | undefined>
  close: () => void
}

/** Deletes a record, or says which records prevent that. */
export function KeptRemoval({ record, words, list, remove, close }: RemovalProps) {
  const keepers = useSignal<Keeper[] | undefined>(undefined)
  const name = isolated(named(record))
  const closing = useClosing(close)
  const { isBusy, problem, run } = useSaving(async () => {
    const goOn = onward()
    keepers.value = await remove()
    if (keepers.value) return
    closing()
    say({ text: words.removed(name) })
    goOn(list, { replace: true })
  })
  if (keepers.value)
    return (
      <Dialog title={words.keptTitle(name)} close={close} end={<Button onClick={close}>{words.close}</Button>}>
        <div role="status">
          <ul class="lines">
            {keepers.value
              .filter(({ count }) => count > 0)
              .map((keeper) => (
                <li key={keeper.list}>
                  {keeper.text(keeper.count)}{' '}
                  <a class="link" href={at(keeper.list)}>
                    {keeper.see}
                  </a>
                </li>
              ))}
          </ul>
          <p class="quiet">{words.keptHint}</p>
        </div>
      </Dialog>
    )
  return (
    <Dialog
      title={words.removeTitle(name)}
      close={close}
      end={
        <>
          <Button onClick={close}>{words.cancel}</Button>
          <Button kind="danger" icon="trash-2" isBusy={isBusy} onClick={run}>
            {words.removeYes}
          </Button>
        </>
      }
    >
      <p>{words.removeHint}</p>
      <p class="error" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}
