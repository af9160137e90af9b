import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  /** The hint; screen readers read it with the field. */
  hint?: ComponentChildren
  /** The error; screen readers read it with the field, and announce it when it appears. */
  error?: string | undefined
  optional?: string
  /** Renders the control with the attributes `tied`, which connect it to its label, hint and error. */
  children: (tied: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }) => ComponentChildren
}

/** A labelled form control with its hint and its error. */
export function Field({ label, hint, error, optional, children }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>
        {label} {optional && <span class="quiet">({optional})</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} class="quiet small">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} class="error small" role="alert">
        {error}
      </p>
    </div>
  )
}

type Kind = 'text' | 'password' | 'email' | 'search' | 'url' | 'tel' | 'number'
type Shared =
  | 'class'
  | 'value'
  | 'onInput'
  | 'onBlur'
  | 'onKeyDown'
  | 'name'
  | 'autocomplete'
  | 'maxLength'
  | 'minLength'
  | 'required'
  | 'readOnly'
  | 'disabled'
  | 'placeholder'
  | 'dir'
  | 'spellcheck'
  | 'inputMode'
  | 'pattern'
  | 'autoFocus'
type InputProps = Omit<FieldProps, 'children'> & { type?: Kind } & Partial<Pick<JSX.IntrinsicElements['input'], Shared | 'min' | 'max'>>

/** A field with one line of text. The direction of the field follows the typed text. */
export function TextField({ label, hint, error, optional, ...input }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error} {...(optional && { optional })}>
      {(tied) => <input class="input" dir="auto" {...(input as JSX.IntrinsicElements['input'])} {...tied} />}
    </Field>
  )
}

type AreaProps = Omit<FieldProps, 'children'> &
  Partial<Pick<JSX.IntrinsicElements['textarea'], Exclude<Shared, 'autocomplete' | 'inputMode' | 'pattern'> | 'rows'>>

export function TextArea({ label, hint, error, optional, ...input }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error} {...(optional && { optional })}>
      {(tied) => <textarea class="input" dir="auto" {...input} {...tied} />}
    </Field>
  )
}

type SelectProps<V extends string> = Omit<FieldProps, 'children'> & {
  value: V
  choices: { value: V; text: string; isOff?: boolean }[]
  choose: (value: V) => void
  autoFocus?: boolean
}

export function SelectField<V extends string>({ label, hint, error, optional, value, choices, choose, autoFocus = false }: SelectProps<V>) {
  return (
    <Field label={label} hint={hint} error={error} {...(optional && { optional })}>
      {(tied) => (
        <select
          class="input"
          value={value}
          {...(autoFocus && { autoFocus })}
          onChange={(event) => choose(event.currentTarget.value as V)}
          {...tied}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} disabled={choice.isOff}>
              {choice.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
