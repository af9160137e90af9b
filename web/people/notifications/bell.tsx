import './style.css'
import './bell.css'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/show/button.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { at, path } from '../../platform/router.ts'
import { byThing, counts, newestOf } from './data.ts'
import { markAllRead } from './marking.ts'
import { t } from './texts.ts'
import { Thing } from './thing.tsx'

/** The most groups that the panel shows. The page of notifications shows all. */
const MOST = 15

/** Closes on Escape, which returns the focus to the bell, and on a press elsewhere, which does not. */
function useClosing(close: () => void) {
  const panel = useRef<HTMLElement>(null)
  const leave = () => {
    close()
    document.querySelector<HTMLElement>('.bell')?.focus()
  }
  useEffect(() => {
    panel.current?.querySelector('h2')?.focus()
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) leave()
    }
    const pointed = (event: Event) => {
      if (!(event.target as Element).closest('.notifications-bell, .bell, .toasts')) close()
    }
    addEventListener('keydown', pressed)
    addEventListener('pointerdown', pointed)
    return () => {
      removeEventListener('keydown', pressed)
      removeEventListener('pointerdown', pointed)
    }
  }, [])
  const opened = useRef(path.value)
  useEffect(() => {
    if (path.value !== opened.current) close()
  }, [path.value])
  return { panel, leave }
}

/** The panel of the bell: the newest notifications, grouped by subject, with their actions. */
export default function Bell({ close }: { close: () => void }) {
  const { panel, leave } = useClosing(close)
  const count = counts.data?.unreadNotifications ?? 0
  return (
    <section ref={panel} class="notifications-bell" role="dialog" aria-labelledby="bell">
      <div class="notifications-top">
        <h2 id="bell" tabIndex={-1}>
          {t.title}
        </h2>
        {count > 0 && (
          <Button kind="plain" icon="check" onClick={markAllRead}>
            {t.readAll}
          </Button>
        )}
        <button type="button" class="button" data-kind="plain" data-shape="round" aria-label={t.close} onClick={leave}>
          <Icon name="x" />
        </button>
      </div>
      <div class="notifications-things">
        <Loaded of={newestOf(false)}>
          {(all) =>
            all.length ? (
              <ul aria-live="polite" aria-relevant="additions">
                {[...byThing(all)].slice(0, MOST).map(([thing, group]) => (
                  <Thing key={thing} group={group} leave={close} />
                ))}
              </ul>
            ) : (
              <Empty icon="bell" title={t.none}>
                {t.noneHint}
              </Empty>
            )
          }
        </Loaded>
      </div>
      <a class="notifications-all" href={at('/notifications')} onClick={close}>
        {t.seeAll}
      </a>
    </section>
  )
}
