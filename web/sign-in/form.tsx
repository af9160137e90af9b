import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Refusal, Unreached } from '../platform/refusal.ts'
import { t } from './texts.ts'

interface FormProps {
  title: string
  hint?: string | undefined
  submitText: string
  /** What it does; what it throws is shown. */
  submit: () => Promise<unknown>
  children: (error: (field: string) => string | undefined) => ComponentChildren
  /** Below the button. */
  end?: ComponentChildren
}

/** What went wrong in a sentence, unless each failing field says its own. */
function problemOf(failure: Error | undefined, isShown: (failure: Refusal) => boolean) {
  if (!failure) return ''
  if (failure instanceof Unreached) return t.noConnection
  if (!(failure instanceof Refusal)) return failure.message
  if (failure.retryAfter) return `${failure.text} ${t.wait(failure.retryAfter)}`
  return isShown(failure) ? '' : failure.text
}

/** A form of the door: its first empty or failing field has the focus, and its button stays where it is while it works. */
export function Form({ title, hint, submitText, submit, children, end }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const isBusy = useSignal(false)
  const failure = useSignal<Error | undefined>(undefined)
  const shown = new Set<string>()
  const error = (field: string) => {
    const text = failure.value instanceof Refusal ? failure.value.field(field) : undefined
    if (text) shown.add(field)
    return text
  }
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(failure.value ? '[aria-invalid], input' : 'input')?.focus()
  }, [failure.value])
  const send = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    failure.value = undefined
    await submit().catch((thrown) => {
      failure.value = thrown
    })
    isBusy.value = false
  }
  const fields = children(error)
  return (
    <form ref={form} class="door-form" onSubmit={send}>
      <div>
        <h1>{title}</h1>
        {hint && <p class="quiet">{hint}</p>}
      </div>
      {fields}
      <p class="door-problem error" role="alert">
        {problemOf(failure.value, ({ body }) => !!body.details?.length && body.details.every(({ path }) => shown.has(path)))}
      </p>
      <Button kind="main" type="submit" isBusy={isBusy.value}>
        {submitText}
      </Button>
      {end && <div class="door-end">{end}</div>}
    </form>
  )
}
