import { useSignal } from '@preact/signals'
import { useSortable } from '../../parts/lists/sortable.ts'
import { Hint } from '../../parts/overlay/hint.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { attempt } from '../../parts/show/failures.ts'
import { Glyph } from '../../parts/show/glyph.tsx'
import { Loaded, Skeleton } from '../../parts/show/skeleton.tsx'
import { matches } from '../../platform/folded.ts'
import { knows, learned } from '../../platform/hints.ts'
import { named } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { type App, apps, arrangeApps } from './data.ts'
import { opening } from './opening.ts'
import { t } from './texts.ts'

/** With at least this many apps, there is a search field. */
const MANY = 18

async function save(order: App[], former: App[]) {
  if (await attempt(arrangeApps(order), t.notSaved)) say({ text: t.saved, undo: () => save(former, order) })
  learned('arrange')
}

function Tile({ app }: { app: App }) {
  return (
    <>
      <span class="home-glyph" data-picture={app.imageUrl ? '' : undefined}>
        <Glyph app={app} />
      </span>
      <span class="home-name">{named(app)}</span>
    </>
  )
}

const Ask = () => (
  <a class="button" data-kind="plain" href={at('/access/offers')}>
    {t.ask}
  </a>
)

/** The apps in the person's own order. The mouse can move them unless they are being searched, touch and keys only while arranging. */
function Board({ all }: { all: App[] }) {
  const isArranging = useSignal(false)
  const spoken = useSignal('')
  const typed = useSignal('')
  // While a tile is lifted, changes from the portal wait.
  const held = useSignal<App[] | undefined>(undefined)
  const shown = held.value ?? all
  const found = isArranging.value ? shown : shown.filter(({ nameAr, nameEn }) => matches(typed.value, nameAr, nameEn))
  const { list, pressed, grabbed } = useSortable({
    items: shown,
    id: (app) => app.id,
    change: (order) => {
      held.value = order
    },
    drop: (order) => {
      held.value = undefined
      if (order.some(({ id }, index) => id !== all[index]?.id)) save(order, all)
    },
    cancel: () => {
      held.value = undefined
    },
    said: {
      lifted: (app, at) => {
        spoken.value = t.lifted(named(app), at + 1, all.length)
      },
      moved: (app, at) => {
        spoken.value = t.moved(named(app), at + 1, all.length)
      },
      dropped: (app, at) => {
        spoken.value = t.dropped(named(app), at + 1)
      },
      cancelled: (app) => {
        spoken.value = t.moveCancelled(named(app))
      },
    },
  })
  if (!all.length) return <Empty icon="layout-grid" title={t.noApps} act={<Ask />} />
  return (
    <>
      <div class="section-head">
        <h2 id="apps">{t.apps}</h2>
        <div class="home-tools">
          {all.length >= MANY && !isArranging.value && (
            <input
              type="search"
              class="input home-find"
              aria-label={t.find}
              placeholder={t.find}
              value={typed}
              onInput={(event) => {
                typed.value = event.currentTarget.value
              }}
            />
          )}
          <Ask />
          <Button
            kind="plain"
            aria-pressed={isArranging.value}
            onClick={() => {
              isArranging.value = !isArranging.value
              typed.value = ''
            }}
          >
            {isArranging.value ? t.arrangeDone : t.arrange}
          </Button>
        </div>
      </div>
      {knows('find') ? (
        <Hint of="arrange">{t.hintArrange}</Hint>
      ) : (
        <Hint of="find">
          {t.hintFind}{' '}
          <span class="home-keys">
            {t.hintKeys} <kbd dir="ltr">Ctrl K</kbd>
          </span>
        </Hint>
      )}
      {found.length === 0 && <p class="quiet">{t.noneFound}</p>}
      <ul ref={list} class="home-tiles" aria-labelledby="apps" data-arranging={isArranging.value || undefined}>
        {found.map((app) => (
          <li key={app.id}>
            {isArranging.value ? (
              <button
                type="button"
                class="home-tile"
                style={{ '--color': app.color }}
                aria-describedby="arranging"
                onKeyDown={(event) => pressed(event, app.id)}
                onPointerDown={(event) => grabbed(event, app.id)}
              >
                <Tile app={app} />
              </button>
            ) : (
              <a
                class="home-tile"
                style={{ '--color': app.color }}
                draggable={false}
                onPointerDown={(event) => event.pointerType === 'mouse' && !typed.value && grabbed(event, app.id)}
                {...opening(app)}
              >
                <Tile app={app} />
                {app.openMode === 'external_tab' && <span class="unseen">({t.newTab})</span>}
              </a>
            )}
          </li>
        ))}
      </ul>
      {/* Below the tiles, so that they do not move. */}
      {isArranging.value && (
        <p id="arranging" class="home-help small">
          {t.arrangeHelp}
        </p>
      )}
      <p class="unseen" role="status">
        {spoken}
      </p>
    </>
  )
}

const shape = <Skeleton shape="tile" count={12} height={7} />

/** The tiles. With `isAwaited`, a skeleton replaces them, because content above them is still loading and would push them down. */
export function Tiles({ isAwaited }: { isAwaited: boolean }) {
  return (
    <Loaded of={apps} shape={shape}>
      {(all) => (isAwaited ? shape : <Board all={all} />)}
    </Loaded>
  )
}
