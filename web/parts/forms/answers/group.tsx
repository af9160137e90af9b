import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface GroupProps {
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  isRadio?: boolean
  children: ComponentChildren
}

/** Controls that together answer one question, with the question's hint and error. */
export function Group({ label, hint, error, isRadio = false, children }: GroupProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <fieldset class="field answers-group" role={isRadio ? 'radiogroup' : undefined} aria-describedby={described || undefined}>
      <legend>{label}</legend>
      {hint && (
        <p id={`${id}-hint`} class="quiet small">
          {hint}
        </p>
      )}
      {children}
      <p id={`${id}-error`} class="error small" role="alert">
        {error}
      </p>
    </fieldset>
  )
}
