import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useSaving } from './saving.ts'

interface ConfirmedProps {
  /** The label of the button, and of the button in the dialog. */
  act: string
  /** The accessible name of the button, if its label alone is not clear. */
  label?: string
  hint: string
  /** The label of the button that cancels. */
  keep: string
  /** Whether the act removes nothing, so that its button is not red. */
  isPlain?: boolean
  run: () => Promise<unknown>
}

/** A button for an act that is confirmed in a dialog first. A refusal is shown there. */
export function ConfirmedButton({ act, label, hint, keep, isPlain = false, run }: ConfirmedProps) {
  const kind = isPlain ? undefined : 'danger'
  const isAsking = useSignal(false)
  const pressed = useRef<HTMLButtonElement>(null)
  const close = () => {
    isAsking.value = false
  }
  // The act may remove the button with its row. The focus then goes to the element around it.
  useLayoutEffect(
    () => () => {
      if (pressed.current === document.activeElement) pressed.current?.closest<HTMLElement>('section[tabindex], main')?.focus()
    },
    [],
  )
  const saving = useSaving(async () => {
    await run()
    close()
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
