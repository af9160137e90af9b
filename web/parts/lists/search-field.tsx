import { Icon } from '../show/icon.tsx'

interface SearchFieldProps {
  label: string
  value: string
  change: (value: string) => void
  /** Called when Enter is pressed. */
  enter?: () => void
}

/** A field that filters the page during typing; Escape empties it. */
export function SearchField({ label, value, change, enter }: SearchFieldProps) {
  return (
    <div class="search">
      <Icon name="search" size={18} />
      <input
        type="search"
        dir="auto"
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') change('')
          else if (key === 'Enter') enter?.()
        }}
      />
    </div>
  )
}
