/** The sections in the bar, below on a phone: as many as there is room for, and the rest behind "more". */
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { isWide } from '../parts/wide.ts'
import { language } from '../platform/language.ts'
import { at, path } from '../platform/router.ts'
import { isWithin, mySections, type Section } from './places.ts'
import { preload } from './room.tsx'
import { t } from './texts.ts'

const SLOTS = 5

const isHere = (section: Section) => isWithin(path.value, section)
const isAdministration = ({ name }: Section) => name === 'admin'

/** How many links stand in the first line of a row, from which the others wrap out of sight. */
function useFitting(count: number) {
  const row = useRef<HTMLDivElement>(null)
  const fitting = useSignal(count)
  useLayoutEffect(() => {
    const measure = () => {
      const links = [...(row.current?.children ?? [])] as HTMLElement[]
      fitting.value = links.filter(({ offsetTop }) => offsetTop === links[0]?.offsetTop).length
    }
    const watch = new ResizeObserver(measure)
    watch.observe(row.current!)
    measure()
    return () => watch.disconnect()
  }, [count, language.value, isWide.value])
  return { row, fitting: fitting.value }
}

export function Navigation() {
  const all = mySections()
  const listed = isWide.value ? all.filter((one) => !isAdministration(one)) : all
  const { row, fitting } = useFitting(listed.length)
  const below = all.length > SLOTS ? listed.filter((one) => !isAdministration(one)).slice(0, SLOTS - 1) : all
  const drawn = isWide.value ? listed : below
  const rest = isWide.value
    ? listed.slice(fitting)
    : all.filter((one) => !below.includes(one)).toSorted((one, other) => Number(isAdministration(other)) - Number(isAdministration(one)))
  const inMore = rest.find(isHere)
  return (
    <nav class="sections" aria-label={t.sections}>
      <div ref={row} class="sections-row">
        {drawn.map((section, index) => (
          <a
            key={section.path}
            href={at(section.path)}
            aria-current={isHere(section) ? 'page' : undefined}
            data-beyond={(isWide.value && index >= fitting) || undefined}
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

/** The way to the administration, beside what is the person's own. */
export function Administration() {
  const section = isWide.value ? mySections().find(isAdministration) : undefined
  return section ? (
    <a
      class="button"
      data-kind="plain"
      data-shape="round"
      href={at(section.path)}
      aria-label={t.pages.admin}
      aria-current={isHere(section) ? 'page' : undefined}
    >
      <Icon name={section.icon} />
    </a>
  ) : null
}
