import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useSaving } from '../../parts/forms/saving.ts'
import { Button } from '../../parts/show/button.tsx'
import type { RefusalCode } from '../../platform/refusal.ts'
import { t } from './texts.ts'

interface FormProps<F extends string> {
  title: string
  hint?: string | undefined
  submitText: string
  /** Called on submit; the form shows its errors. */
  submit: () => Promise<unknown>
  fields: readonly F[]
  /** The fields to which refusals belong, by code, for refusals that do not name a field. */
  fieldOf?: Partial<Record<RefusalCode, F>>
  children: (error: (field: F) => string | undefined) => ComponentChildren
  /** The field to focus after an error that belongs to no field. */
  retry?: F
  /** Other ways to sign in, below the button. */
  ways?: ComponentChildren
  /** Links at the end. */
  end?: ComponentChildren
}

/** A form of the sign-in pages. Its first field gets the focus, and after an error the invalid field. */
export function Form<F extends string>({ title, hint, submitText, submit, fields, fieldOf, retry, children, ways, end }: FormProps<F>) {
  const form = useRef<HTMLFormElement>(null)
  const { isBusy, failure, error, problem, run, isFilled } = useSaving(submit, { unreached: t.noConnection, fields, fieldOf })
  useEffect(() => {
    const find = (selector: string) => form.current?.querySelector<HTMLInputElement>(selector)
    const retried = failure ? (find('[aria-invalid]') ?? (retry ? find(`[name=${retry}]`) : undefined)) : undefined
    const field = retried ?? find('input')
    field?.focus()
    if (failure) field?.select()
  }, [failure])
  return (
    <form
      ref={form}
      class="door-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isFilled(event.currentTarget)) run()
      }}
    >
      <div>
        <h1>{title}</h1>
        {hint && <p class="quiet">{hint}</p>}
      </div>
      {children(error)}
      <p class="door-problem error" role="alert">
        {problem}
      </p>
      <Button kind="main" type="submit" isBusy={isBusy}>
        {submitText}
      </Button>
      {ways}
      {end && <div class="door-end">{end}</div>}
    </form>
  )
}
