import './contents.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { at, path } from '../../platform/router.ts'
import { Icon, type IconName } from './icon.tsx'

/** A section of the page by its name, or another page by its address. */
type Entry = { icon: IconName; text: string } & ({ name: string } | { path: string })

interface ContentsProps {
  title: string
  /** The name of the list of sections, for screen readers. */
  label: string
  entries: readonly Entry[]
  children: ComponentChildren
}

/** A page of sections with a list of them beside it. An address such as `/account#clock` opens it at a section. */
export function Contents({ title, label, entries, children }: ContentsProps) {
  const here = useSignal(location.hash)
  useEffect(() => {
    const go = () => {
      here.value = location.hash
    }
    addEventListener('hashchange', go)
    return () => removeEventListener('hashchange', go)
  }, [])
  return (
    <div class="contents">
      <h1>{title}</h1>
      <nav class="contents-nav" aria-label={label}>
        {entries.map((entry) => {
          const hash = 'name' in entry ? `#${entry.name}` : ''
          return (
            <a
              key={entry.text}
              href={at('path' in entry ? entry.path : path.value + hash)}
              aria-current={hash && here.value === hash ? 'location' : undefined}
              onClick={({ currentTarget, ctrlKey, metaKey, shiftKey }) => {
                if (!hash || ctrlKey || metaKey || shiftKey) return
                // The router moves the focus to the section, and leaves the address as it is.
                history.replaceState(history.state, '', currentTarget.href)
                here.value = hash
              }}
            >
              <Icon name={entry.icon} size={18} />
              {entry.text}
            </a>
          )
        })}
      </nav>
      <div class="contents-parts">{children}</div>
    </div>
  )
}
