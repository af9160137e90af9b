import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { addShortcut } from '../../frame/shortcuts.ts'
import { Portions } from '../../parts/lists/portions.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Skeleton } from '../../parts/show/skeleton.tsx'
import { matches } from '../../platform/folded.ts'
import { at, queryValue, setQuery } from '../../platform/router.ts'
import { Capture } from './capture.tsx'
import { Card } from './card.tsx'
import { asChanged, foldersOf, labels, type Note, notesOf, PART, type View } from './data.ts'
import { isLeaving } from './later.ts'
import { Masonry } from './masonry.tsx'
import { Places, viewOf } from './places.tsx'
import { t } from './texts.ts'

const ASK_AFTER_MS = 250

/**
 * The search field. After a pause, the typed text becomes `q` in the address. Until then, the board searches among the notes on the device.
 */
function Search({ typed, type }: { typed: string; type: (text: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => addShortcut({ codes: ['KeyF'], text: () => t.keys.search, run: () => field.current?.focus() }), [])
  // A layout effect, because later the pause could end with a text that the person has changed since.
  useLayoutEffect(() => {
    const timer = setTimeout(() => typed.trim() !== queryValue('q') && setQuery({ q: typed.trim() }), ASK_AFTER_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div class="notes-search">
      <Icon name="search" size={18} />
      <input
        ref={field}
        type="search"
        class="input"
        dir="auto"
        maxLength={200}
        aria-label={t.search}
        placeholder={t.search}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
      />
    </div>
  )
}

function Nothing({ view, clear }: { view: View; clear: () => void }) {
  if (view.q)
    return (
      <Empty icon="search" title={t.nothingFound(view.q)} act={<Button onClick={clear}>{t.clearSearch}</Button>}>
        {t.nothingFoundHint}
      </Empty>
    )
  if (view.tab === 'archived')
    return (
      <Empty icon="archive" title={t.emptyArchive}>
        {t.emptyArchiveHint}
      </Empty>
    )
  if (view.folder || view.label)
    return (
      <Empty icon="folder" title={t.emptyPlace}>
        {t.emptyPlaceHint}
      </Empty>
    )
  return (
    <Empty
      icon="sticky-note"
      title={t.emptyBoard}
      act={<Button onClick={() => document.querySelector<HTMLElement>('.notes-capture textarea')?.focus()}>{t.firstNote}</Button>}
    >
      {t.emptyBoardHint}
    </Empty>
  )
}

/** The heading above the board. */
function nameOf({ tab, folder, label }: View) {
  if (tab === 'archived') return t.archive
  if (folder === 'none') return t.unfiled
  if (folder) return foldersOf('active').data?.find(({ id }) => String(id) === folder)?.name ?? t.folder
  if (label) return labels.data?.find(({ id }) => String(id) === label)?.name ?? t.labels
  return t.all
}

const shape = (
  <div class="notes-shape">
    <Skeleton count={3} height={9} />
    <Skeleton count={3} height={7} />
    <Skeleton count={3} height={11} />
  </div>
)

/** The person's own notes, with folders, labels, the archive, search, and a field for a new note. */
export function Board() {
  const view = viewOf()
  const typed = useSignal(view.q)
  const isChoosing = useSignal(false)
  const q = view.q
  // A layout effect, because one after painting could replace text that the person has typed since.
  useLayoutEffect(() => {
    // The address has changed, by a link or by going back: the search field takes over its query.
    if (typed.peek().trim() !== q) typed.value = q
    isChoosing.value = false
  }, [view.tab, view.folder, view.label, q])
  const wanted = typed.value.trim()
  const isAhead = wanted !== q
  const found = notesOf(view, 0)
  // Until the portal answers, search among the notes on the device.
  const isGuess = isAhead || (q !== '' && found.data === undefined && !found.error)
  const near = { ...view, q: '' }
  const shown = isGuess ? near : view
  const isMeant = (note: Note) => !isLeaving('/notes/{id}', note.id) && (!isGuess || matches(wanted, note.title, note.content))
  const clear = () => {
    typed.value = ''
    setQuery({ q: '' })
  }
  return (
    <div class="notes-layout">
      <div class="notes-side">
        <div class="notes-tools">
          <Button class="button notes-where" icon="list" aria-haspopup="dialog" onClick={() => (isChoosing.value = true)}>
            <bdi>{nameOf(view)}</bdi>
          </Button>
          <Search typed={typed.value} type={(text) => (typed.value = text)} />
        </div>
        <aside class="notes-aside" aria-label={t.places}>
          <Places view={view} />
        </aside>
      </div>
      <section aria-label={t.board}>
        <h2 class="unseen">{nameOf(view)}</h2>
        {view.tab === 'active' && <Capture view={view} />}
        <Portions name={at(JSON.stringify(shown))} of={(offset) => notesOf(shown, offset)} size={PART} shape={shape}>
          {(notes, isOnly) => {
            const meant = notes.map(asChanged).filter(isMeant)
            if (meant.length > 0)
              return (
                <Masonry label={nameOf(view)}>
                  {meant.map((note) => (
                    <Card key={note.id} note={note} />
                  ))}
                </Masonry>
              )
            return isOnly && !isGuess && <Nothing view={view} clear={clear} />
          }}
        </Portions>
      </section>
      {isChoosing.value && (
        <Dialog title={t.places} close={() => (isChoosing.value = false)}>
          <Places view={view} />
        </Dialog>
      )}
    </div>
  )
}
