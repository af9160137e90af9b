import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { folded } from '../platform/folded.ts'
import { learned } from '../platform/hints.ts'
import { language } from '../platform/language.ts'
import { go } from '../platform/router.ts'
import { chooseLanguage } from '../platform/session.ts'
import { leave } from './leaving.ts'
import { openShortcuts, typedEarly } from './overlays.tsx'
import { definePalette, type Finding, type PaletteSource } from './palette.ts'
import { type PageName, sections } from './places.ts'
import { both, t } from './texts.ts'
import { theme, themeIcons, themes } from './theme.ts'

const page = (name: PageName, path: string, icon: IconName): Finding => ({
  id: `page ${path}`,
  text: t.pages[name],
  words: [both.ar.pages[name], both.en.pages[name]],
  icon,
  path,
})
const acts = (): Finding[] => [
  ...themes.map((one) => ({
    id: `theme ${one}`,
    text: `${t.theme}: ${t.themes[one]}`,
    words: [both.ar, both.en].flatMap((texts) => [texts.theme, texts.themes[one]]),
    icon: themeIcons[one],
    run: () => {
      theme.value = one
    },
  })),
  { id: 'shortcuts', text: t.shortcuts, words: [both.ar.shortcuts, both.en.shortcuts], icon: 'keyboard', run: openShortcuts },
  { id: 'sign-out', text: t.signOut, words: [both.ar.signOut, both.en.signOut], icon: 'log-out', run: leave },
]

const pages = definePalette({
  find: (typed) => [
    ...sections.filter(({ isFor }) => isFor()).map(({ path, name, icon }) => page(name, path, icon)),
    page('notifications', '/notifications', 'bell'),
    page('account', '/account', 'user'),
    { id: 'language', text: t.switchLanguage, icon: 'languages', run: () => chooseLanguage(language.value === 'ar' ? 'en' : 'ar') },
    ...(typed ? acts() : []),
  ],
})

const files = import.meta.glob<{ default: PaletteSource }>(['../*/palette.ts', '!../frame/*'])
const sources = signal<PaletteSource[]>([])
let asked: Promise<void> | undefined
const loadSources = () => {
  asked ??= Promise.all(Object.values(files).map((load) => load())).then((all) => {
    sources.value = all.map(({ default: source }) => source)
  })
  return asked
}

const SHOWN = 50

/** How well a finding fits: 0 begins with it, 1 a word does, 2 contains it, -1 not at all. */
function fit({ text, words = [] }: Finding, typed: string) {
  const all = [text, ...words].filter((one) => typeof one === 'string').map(folded)
  if (all.some((one) => one.startsWith(typed))) return 0
  if (all.some((one) => one.includes(` ${typed}`))) return 1
  return all.some((one) => one.includes(typed)) ? 2 : -1
}

async function search(typed: string) {
  await loadSources()
  const wanted = folded(typed).trim()
  const lists = await Promise.all([...sources.value, pages].map(async (source) => ({ source, all: await source.find(wanted) })))
  return lists
    .flatMap(({ source, all }) => all.map((finding) => ({ finding, fit: wanted && !source.isExact ? fit(finding, wanted) : 1 })))
    .filter(({ fit }) => fit >= 0)
    .toSorted((one, other) => one.fit - other.fit)
    .slice(0, SHOWN)
    .map(({ finding }) => finding)
}

/** Finds apps, services, pages and acts; Enter opens the first. */
export default function PaletteDialog({ close }: { close: () => void }) {
  const typed = useSignal(typedEarly())
  const here = useSignal(0)
  const found = useSignal<{ typed: string; all: Finding[] } | undefined>(undefined)
  useEffect(() => learned('find'), [])
  useEffect(() => {
    let isCurrent = true
    const sought = typed.value
    search(sought).then((all) => {
      if (!isCurrent) return
      found.value = { typed: sought, all }
      here.value = 0
    })
    return () => {
      isCurrent = false
    }
  }, [typed.value, language.value])
  const all = found.value?.all ?? []
  const open = (finding: Finding | undefined) => {
    if (!finding) return
    close()
    if (finding.path) go(finding.path)
    finding.run?.()
  }
  /** Opens the chosen finding; the first of what is typed now, where what is shown is of fewer letters. */
  const enter = async () => open(found.value?.typed === typed.value ? all[here.value] : (await search(typed.value))[0])
  function pressed(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') enter()
    else if (step && all.length) here.value = (here.value + step + all.length) % all.length
    else return
    event.preventDefault()
    document.getElementById(`found-${here.value}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Dialog class="palette" title={t.find} close={close} bare>
      <div class="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          dir="auto"
          aria-label={t.find}
          aria-expanded="true"
          aria-controls="found"
          aria-autocomplete="list"
          aria-activedescendant={all.length ? `found-${here.value}` : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder={t.findHint}
          value={typed}
          onInput={(event) => {
            typed.value = event.currentTarget.value
          }}
          onKeyDown={pressed}
        />
        <kbd dir="ltr">Esc</kbd>
      </div>
      <div class="palette-list" role="listbox" id="found" aria-label={t.find}>
        {all.map((finding, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
          <div
            key={finding.id}
            id={`found-${index}`}
            role="option"
            aria-selected={index === here.value}
            tabIndex={-1}
            onClick={() => open(finding)}
            onPointerMove={() => (here.value = index)}
          >
            <Icon name={finding.icon ?? 'arrow-right'} />
            <span>{finding.text}</span>
            {finding.kind && <span class="quiet small">{finding.kind}</span>}
          </div>
        ))}
      </div>
      <p class="palette-none quiet" role="status">
        {found.value?.all.length === 0 && t.nothing}
      </p>
    </Dialog>
  )
}
