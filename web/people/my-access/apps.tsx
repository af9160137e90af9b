import { useSignal } from '@preact/signals'
import { Glyph } from '../../parts/show/glyph.tsx'
import { named } from '../../platform/language.ts'
import type { GrantedApp } from './data.ts'
import { t } from './texts.ts'

const SHOWN = 6

/** Apps with their icons; more than a few are folded. */
export function Apps({ label, all }: { label: string; all: readonly GrantedApp[] }) {
  const isWhole = useSignal(false)
  const shown = isWhole.value || all.length === SHOWN + 1 ? all : all.slice(0, SHOWN)
  return (
    <ul class="my-access-apps" aria-label={label}>
      {shown.map((app) => (
        <li key={app.id}>
          <span class="mini" style={{ '--color': app.color }} aria-hidden="true">
            <Glyph app={app} size={16} />
          </span>
          <bdi>{named(app)}</bdi>
        </li>
      ))}
      {shown.length < all.length && (
        <li>
          <button
            type="button"
            class="link"
            onClick={() => {
              isWhole.value = true
            }}
          >
            {t.moreApps(all.length - shown.length)}
          </button>
        </li>
      )}
    </ul>
  )
}
