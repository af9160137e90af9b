import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useSaving } from '../forms/saving.ts'
import { Button } from '../show/button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmedProps {
  /** The label of both buttons: the one on the page and the one in the dialog that confirms. */
  act: string
  /** The accessible name of the button, if its label alone is not clear. */
  label?: string
  hint: string
  /** The label of the button that cancels. */
  keep: string
  /** Whether the action removes nothing, so that its button is not red. */
  isPlain?: boolean
  /** Resolves to 'again' if the dialog should stay, with another label and hint. */
  run: () => Promise<unknown>
}

/** A button whose action runs only after the person confirms it in a dialog. The dialog shows a refusal. */
export function ConfirmedButton({ act, label, hint, keep, isPlain = false, run }: ConfirmedProps) {
  const kind = isPlain ? undefined : 'danger'
  const isAsking = useSignal(false)
  const pressed = useRef<HTMLButtonElement>(null)
  const close = () => {
    isAsking.value = false
  }
  // The action may remove the row that contains the button. The focus then goes to the section or page around the row.
  useLayoutEffect(
    () => () => {
      if (pressed.current === document.activeElement) pressed.current?.closest<HTMLElement>('section[tabindex], main')?.focus()
    },
    [],
  )
  const saving = useSaving(async () => {
    if ((await run()) !== 'again') close()
  })
  return (
    <>
      <Button
        kind={kind}
        aria-label={label}
        onClick={(event) => {
          pressed.current = event.currentTarget
          isAsking.value = true
        }}
      >
        {act}
      </Button>
      {isAsking.value && (
        <Dialog
          title={label ?? act}
          close={close}
          end={
            <>
              <Button onClick={close}>{keep}</Button>
              <Button kind={isPlain ? 'main' : kind} isBusy={saving.isBusy} onClick={() => saving.run()}>
                {act}
              </Button>
            </>
          }
        >
          <p>{hint}</p>
          <p class="error" role="alert">
            {saving.problem}
          </p>
        </Dialog>
      )}
    </>
  )
}
