/** Links to the sections: on a wide page as many as fit in the bar, on a phone the most important ones for the person, at the bottom. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Menu } from '../parts/overlay/menu.tsx'
import { Icon } from '../parts/show/icon.tsx'
import { isWide } from '../parts/show/wide.ts'
import { language } from '../platform/language.ts'
import { at, path } from '../platform/router.ts'
import { isWithin, mySections, type Section } from './places.ts'
import { preload } from './room.tsx'
import { ways } from './site.ts'
import { t } from './texts.ts'

const ON_PHONE = 4
/** The steps by which the bar makes room for the sections: the search shows its words, only its keys, or neither. */
const STEPS = ['words', 'keys', '']
/** The largest width of the “more” button, in px at the usual font size. */
const MORE = 104

/** Whether the page belongs to a section: by the place that it leads back to, or else by its address. */
const isHere = (section: Section) => isWithin(ways.value.at(-1)?.path ?? path.value, section)

/** The indexes of links that do not fit even into the compact bar, never that of the current section. Computed before painting. */
function useBeyond(count: number, here: number) {
  const row = useRef<HTMLDivElement>(null)
  const beyond = useSignal<number[]>([])
  useLayoutEffect(() => {
    const links = row.current!
    const bar = links.closest<HTMLElement>('.bar')!
    // On a narrow page all links fit, because only the most important ones are drawn. Measuring them would slow down the first drawing.
    if (!isWide.peek()) {
      bar.dataset['find'] = ''
      return undefined
    }
    const measure = () => {
      const { columnGap, fontSize } = getComputedStyle(links)
      const widths = Array.from(links.children, (link) => (link as HTMLElement).offsetWidth + Number.parseFloat(columnGap))
      const all = widths.reduce((sum, width) => sum + width, 0)
      const room = () => links.parentElement!.clientWidth
      for (const step of STEPS) {
        bar.dataset['find'] = step
        if (all <= room()) break
      }
      let taken = (widths[here] ?? 0) + (MORE / 16) * Number.parseFloat(fontSize)
      const isBeyond = (width: number, index: number) => {
        if (index !== here) taken += width
        return index !== here && taken > room()
      }
      beyond.value = all <= room() ? [] : [...widths.keys()].filter((index) => isBeyond(widths[index]!, index))
    }
    const watch = new ResizeObserver(measure)
    watch.observe(bar)
    measure()
    return () => watch.disconnect()
  }, [count, here, language.value, isWide.value])
  return { row, beyond: beyond.value }
}

export function Navigation() {
  const all = mySections()
  const onPhone = all.toSorted((one, other) => one.rank - other.rank)
  const drawn = isWide.value || all.length <= ON_PHONE ? all : onPhone.slice(0, ON_PHONE)
  const { row, beyond } = useBeyond(all.length, drawn.findIndex(isHere))
  const rest = isWide.value ? beyond.flatMap((index) => drawn[index] ?? []) : onPhone.filter((one) => !drawn.includes(one))
  const inMore = rest.find(isHere)
  return (
    <nav class="sections" aria-label={t.sections}>
      <div ref={row} class="sections-row">
        {drawn.map((section, index) => (
          <a
            key={section.path}
            href={at(section.path)}
            aria-current={isHere(section) ? 'page' : undefined}
            data-beyond={(isWide.value && beyond.includes(index)) || undefined}
            onPointerEnter={() => preload(section.path)}
          >
            <Icon name={section.icon} />
            <span>{(!isWide.value && t.short[section.name]) || t.pages[section.name]}</span>
          </a>
        ))}
      </div>
      {rest.length > 0 && (
        <Menu
          class={inMore ? 'more more-here' : 'more'}
          label={inMore ? `${t.pages.more}: ${t.pages[inMore.name]}` : t.pages.more}
          face={
            <>
              <Icon name={inMore?.icon ?? 'ellipsis'} />
              <span>{t.pages[inMore?.name ?? 'more']}</span>
            </>
          }
          items={rest.map(({ name, icon, path }) => ({ text: t.pages[name], icon, href: at(path) }))}
        />
      )}
    </nav>
  )
}
