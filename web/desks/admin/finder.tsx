import { useRef } from 'preact/hooks'
import type { Finding } from '../../frame/palette.ts'
import { shelve } from '../../frame/ranking.ts'
import { useShortcuts } from '../../frame/use-shortcuts.ts'
import { Combobox } from '../../parts/forms/combobox.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { folded } from '../../platform/folded.ts'
import { go } from '../../platform/router.ts'
import { sources } from './sources.ts'
import { t } from './texts.ts'

/** Searches all sources. Fails only if a source fails and all other sources find nothing. */
async function find(typed: string): Promise<Finding[]> {
  const sought = folded(typed).trim()
  if (!sought) return []
  const exact = new Set<Finding>()
  const answers = await Promise.allSettled(
    sources.map(async (source) => {
      const found = await source.find(sought)
      if (source.isExact) for (const one of found) exact.add(one)
      return found
    }),
  )
  const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const failed = answers.find((one) => one.status === 'rejected')
  const shown = shelve(found, sought, [], (one) => exact.has(one)).flatMap(({ findings }) => findings)
  if (failed && shown.length === 0) throw failed.reason
  return shown
}

const open = ({ path, run }: Finding) => {
  if (path) go(path)
  run?.()
}

/** A field that finds pages of the administration and people. The slash key focuses it. */
export function Finder() {
  const field = useRef<HTMLDivElement>(null)
  useShortcuts([{ codes: ['Slash'], text: () => t.find, run: () => field.current?.querySelector('input')?.focus() }])
  return (
    <div ref={field} class="desk-find">
      <Icon name="search" size={18} />
      <Combobox label={t.find} placeholder={t.find} find={find} id={({ id }) => id} choose={open}>
        {({ text, kind, icon = 'arrow-right' }) => (
          <>
            <Icon name={icon} size={18} />
            <bdi class="grow">{text}</bdi>
            <span class="quiet small">{kind}</span>
          </>
        )}
      </Combobox>
      <span class="desk-key" aria-hidden="true">
        <kbd dir="ltr">/</kbd>
      </span>
    </div>
  )
}
