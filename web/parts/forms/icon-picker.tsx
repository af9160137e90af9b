import './icon-picker.css'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { matches } from '../../platform/folded.ts'
import { language } from '../../platform/language.ts'
import { SearchField } from '../lists/search-field.tsx'
import { appIcon } from '../show/glyph.tsx'
import { Icon, type IconName } from '../show/icon.tsx'
import { t } from './icon-picker-texts.ts'
import { iconWords } from './icon-words.ts'

interface PickerProps {
  label: string
  value: string
  change: (name: IconName) => void
  error?: string | undefined
}

const all = Object.keys(iconWords) as IconName[]
const isArabic = /[\u0600-\u06FF]/

/** The name of an icon: in Arabic its first Arabic search word, otherwise its English name. */
function nameOf(icon: IconName) {
  const words = iconWords[icon]?.split(' ') ?? []
  const word = words.find((one) => isArabic.test(one))
  return language.value === 'ar' && word ? word : icon.replaceAll('-', ' ')
}

/** A field for the icon of an app, found by a word in either language. Arrows move through the icons; Enter or Space chooses. */
export function IconPicker({ label, value, change, error }: PickerProps) {
  const typed = useSignal('')
  const here = useSignal<IconName | undefined>(undefined)
  const list = useRef<HTMLDivElement>(null)
  const chosen = appIcon(value)
  const shown = all.filter((icon) => matches(typed.value, icon, icon.replaceAll('-', ' '), iconWords[icon]))
  const reached = [here.value, chosen].find((icon) => icon && shown.includes(icon)) ?? shown[0]

  function walk(event: KeyboardEvent) {
    const options = [...(list.current?.querySelectorAll<HTMLElement>('[role=radio]') ?? [])]
    const at = options.indexOf(event.target as HTMLElement)
    if (at < 0) return
    const row = options.filter(({ offsetTop }) => offsetTop === options[0]!.offsetTop).length
    const onward = getComputedStyle(list.current!).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const to = /^Arrow(Left|Right)$/.test(event.key)
      ? at + (event.key === onward ? 1 : -1)
      : { ArrowDown: at + row, ArrowUp: at - row, Home: 0, End: options.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = options[Math.max(0, Math.min(options.length - 1, to))]!
    here.value = next.dataset['icon'] as IconName
    next.focus()
  }
  return (
    <fieldset class="icon-picker">
      <legend>{label}</legend>
      <div class="icon-picker-head">
        <span class="icon-picker-now">
          <Icon name={chosen} size={24} />
        </span>
        <SearchField
          label={t.find}
          value={typed.value}
          change={(value) => {
            typed.value = value
          }}
        />
      </div>
      {shown.length > 0 ? (
        <div ref={list} class="icon-picker-all" role="radiogroup" aria-label={label} onKeyDown={walk}>
          {shown.map((icon) => (
            <button
              key={icon}
              type="button"
              role="radio"
              data-icon={icon}
              aria-label={nameOf(icon)}
              data-tip=""
              aria-checked={icon === chosen}
              tabIndex={icon === reached ? 0 : -1}
              onClick={() => {
                here.value = icon
                change(icon)
              }}
            >
              <Icon name={icon} />
            </button>
          ))}
        </div>
      ) : (
        <p class="quiet small">{t.nothing}</p>
      )}
      <p class="error small" role="alert">
        {error}
      </p>
    </fieldset>
  )
}
