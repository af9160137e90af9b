import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { addresses } from '../addresses.ts'
import { Dialog } from '../parts/overlay/dialog.tsx'
import { mayLeave } from '../parts/overlay/staying.ts'
import { Button } from '../parts/show/button.tsx'
import { Icon, type IconName } from '../parts/show/icon.tsx'
import { t as parts } from '../parts/texts.ts'
import { draft } from '../platform/drafts.ts'
import { folded } from '../platform/folded.ts'
import { learned } from '../platform/hints.ts'
import { language } from '../platform/language.ts'
import { go } from '../platform/router.ts'
import { chooseLanguage } from '../platform/session.ts'
import { leave } from './leaving.ts'
import type { Finding, PaletteSource } from './palette.ts'
import { t as words } from './palette-texts.ts'
import { mayOpen, mySections, type PageName } from './places.ts'
import { openSearch } from './searching.ts'
import { both, t } from './texts.ts'
import { theme, themeIcons, themes } from './theme.ts'

const page = (name: PageName, path: string, icon: IconName): Finding => ({
  id: `page ${path}`,
  group: 'pages',
  text: t.pages[name],
  words: [both.ar.pages[name], both.en.pages[name]],
  icon,
  path,
})
const act = (id: string, names: [string, string], icon: IconName, run: () => void): Finding => ({
  id,
  group: 'acts',
  text: names[language.value === 'ar' ? 0 : 1],
  words: names,
  icon,
  run,
  isTyped: true,
})

const frame = (openShortcuts: () => void): PaletteSource => ({
  find: () => [
    ...mySections().map(({ path, name, icon }) => page(name, path, icon)),
    page('notifications', '/notifications', 'bell'),
    page('account', '/account', 'user'),
    {
      id: 'language',
      group: 'acts',
      text: t.switchLanguage,
      icon: 'languages',
      isTyped: true,
      run: () => chooseLanguage(language.value === 'ar' ? 'en' : 'ar'),
    },
    ...themes.map((one) => ({
      ...act(
        `theme ${one}`,
        [`${both.ar.theme}: ${both.ar.themes[one]}`, `${both.en.theme}: ${both.en.themes[one]}`],
        themeIcons[one],
        () => {
          theme.value = one
        },
      ),
      words: [both.ar, both.en].flatMap((texts) => [texts.theme, texts.themes[one]]),
    })),
    act('shortcuts', [both.ar.shortcuts, both.en.shortcuts], 'keyboard', openShortcuts),
    act('sign-out', [both.ar.signOut, both.en.signOut], 'log-out', leave),
  ],
})

const files = import.meta.glob<{ default: PaletteSource[] }>(['../**/palette.ts', '!../frame/*'])
/** Whether the person may use a source. A desk's sources are only for people who may enter the desk. */
const isMine = ([file]: [string, unknown]) => mayOpen(addresses[`/${file.split('/')[2]}/:rest`]?.audience)
/** The sources that were loaded, by file. Loading is tried again for those that failed. */
const loaded = new Map<string, PaletteSource[]>()

const REMEMBERED = 12
/** How long Enter waits for sources on the device, in ms. */
const PATIENCE_MS = 300

interface PaletteProps {
  close: () => void
  /** Text typed before the dialog opened. */
  early: string
  openShortcuts: () => void
}

/** The command palette. It leads to other pages, so over a dialog that would lose something, that dialog asks instead. */
export default function PaletteDialog(props: PaletteProps) {
  const isOpen = useSignal(false)
  useLayoutEffect(() => {
    isOpen.value = mayLeave()
    if (!isOpen.peek()) props.close()
  }, [])
  return isOpen.value ? <Palette {...props} /> : null
}

/** Finds apps, services, pages and acts. Enter opens the marked finding. */
function Palette({ close, early, openShortcuts }: PaletteProps) {
  const typed = useSignal(early)
  /**
   * The id of the marked finding; undefined until the arrow keys or the pointer have marked one. Until then the first finding counts as
   * marked.
   */
  const marked = useSignal<string | undefined>(undefined)
  const unloaded = useSignal<string[]>([])
  const search = useMemo(openSearch, [])
  const recent = useMemo(() => draft<string[]>('palette', []), [])
  const load = () =>
    Promise.all(
      Object.entries(files)
        .filter(isMine)
        .map(async ([file, load]) => {
          try {
            const isNew = !loaded.has(file)
            if (isNew) loaded.set(file, (await load()).default)
            search.add(loaded.get(file)!)
            unloaded.value = unloaded.value.filter((one) => one !== file)
          } catch {
            unloaded.value = [...new Set([...unloaded.value, file])]
          }
        }),
    )
  const loading = useMemo(() => {
    search.add([frame(openShortcuts)])
    return load()
  }, [])
  useEffect(() => learned('find'), [])
  useEffect(() => {
    marked.value = undefined
    search.seek(folded(typed.value).trim())
  }, [typed.value, language.value])

  const shelves = search.shelves(recent.value.value ?? [])
  const all = shelves.flatMap(({ findings }) => findings)
  const here = Math.max(
    0,
    all.findIndex(({ id }) => id === marked.value),
  )
  const open = (finding: Finding | undefined) => {
    if (!finding) return
    recent.value.value = [finding.id, ...(recent.value.peek() ?? []).filter((id) => id !== finding.id)].slice(0, REMEMBERED)
    close()
    if (finding.path) go(finding.path)
    finding.run?.()
  }
  const isHere = useRef(true)
  useEffect(
    () => () => {
      isHere.current = false
    },
    [],
  )
  /**
   * Opens the marked finding. If none is marked, opens the first finding of the sources on the device; if these find nothing, waits for the
   * portal.
   */
  async function enter() {
    if (marked.value) return open(all[here])
    const sought = folded(typed.value).trim()
    if (sought !== search.wanted.peek()) search.seek(sought)
    const first = () => search.shelves(recent.value.peek() ?? [])[0]?.findings[0]
    const later = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
    await Promise.race([loading.then(() => search.settled('device')), later])
    if (!first()) await loading.then(() => search.settled('all'))
    if (isHere.current && search.wanted.peek() === sought) open(first())
  }
  function pressed(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') enter()
    else if (step && all.length) marked.value = all[(here + step + all.length) % all.length]!.id
    else return
    event.preventDefault()
    requestAnimationFrame(() => document.querySelector('.palette [aria-selected=true]')?.scrollIntoView({ block: 'nearest' }))
  }
  const failed = unloaded.value.length > 0 || search.failed().length > 0
  const retry = () => {
    search.again()
    if (unloaded.value.length) load()
  }
  let index = 0
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
          aria-activedescendant={all.length ? `found-${here}` : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder={words.hint}
          value={typed}
          onInput={(event) => {
            typed.value = event.currentTarget.value
          }}
          onKeyDown={pressed}
        />
        <kbd dir="ltr">Esc</kbd>
        <Button kind="plain" icon="x" class="button palette-close" aria-label={parts.close} onClick={close} />
      </div>
      <div class="palette-list" role="listbox" id="found" aria-label={t.find} aria-busy={search.isSearching()}>
        {shelves.map(({ name, findings }) => (
          <div key={name} role="group" aria-labelledby={`shelf-${name}`}>
            <p class="quiet small" id={`shelf-${name}`} role="presentation">
              {words.groups[name]}
            </p>
            {findings.map((finding) => {
              const at = index++
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
                <div
                  key={finding.id}
                  id={`found-${at}`}
                  role="option"
                  aria-selected={at === here}
                  tabIndex={-1}
                  onClick={() => open(finding)}
                  onPointerMove={() => (marked.value = finding.id)}
                >
                  <span class="palette-icon" style={{ '--color': finding.color }} data-colored={finding.color ? '' : undefined}>
                    <Icon name={finding.icon ?? 'arrow-right'} />
                  </span>
                  <span class="palette-text">{finding.text}</span>
                  {finding.kind && <span class="quiet small">{finding.kind}</span>}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <p class="palette-none quiet" role="status">
        {all.length === 0 && !failed && (search.isSearching() ? words.searching : words.nothing)}
        {failed && (
          <>
            <span>{words.partly}</span>
            <Button kind="plain" icon="refresh-cw" onClick={retry}>
              {t.retry}
            </Button>
          </>
        )}
      </p>
    </Dialog>
  )
}
