import { Icon } from './icon.tsx'

/** A field that filters the page during typing; Escape empties it. */
export function SearchField({ label, value, change }: { label: string; value: string; change: (value: string) => void }) {
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
        onKeyDown={(event) => event.key === 'Escape' && change('')}
      />
    </div>
  )
}
