import { useId } from 'preact/hooks'

export function Switch({
  label,
  hint,
  on,
  change,
  disabled = false,
}: {
  label: string
  hint?: string
  on: boolean
  change: (on: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <div class="switch-row">
      <label for={id}>
        <span id={`${id}-label`}>{label}</span>
        {hint && (
          <span id={`${id}-hint`} class="quiet small">
            {hint}
          </span>
        )}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        class="switch"
        aria-checked={on}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint && `${id}-hint`}
        checked={on}
        disabled={disabled}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    </div>
  )
}
