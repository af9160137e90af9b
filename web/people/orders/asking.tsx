import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Button } from '../../parts/show/button.tsx'
import type { IconName } from '../../parts/show/icon.tsx'

interface AskingProps {
  icon: IconName
  text: string
  /**
   * Whether the action is possible now. An open dialog stays when somebody else makes the action impossible, so that its typed text is not
   * lost.
   */
  isOffered: boolean
  children: (close: () => void) => ComponentChildren
}

/** A button that opens a dialog. */
export function Asking({ icon, text, isOffered, children }: AskingProps) {
  const isAsking = useSignal(false)
  return (
    <>
      {isOffered && (
        <Button icon={icon} aria-haspopup="dialog" onClick={() => (isAsking.value = true)}>
          {text}
        </Button>
      )}
      {isAsking.value && children(() => (isAsking.value = false))}
    </>
  )
}
