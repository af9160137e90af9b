import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Button } from '../parts/button.tsx'
import type { IconName } from '../parts/icon.tsx'

interface AskingProps {
  icon: IconName
  text: string
  /** Whether it can be done now. An open dialog stays when somebody else has made it impossible: what is typed in it is still there. */
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
