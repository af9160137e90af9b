import { Moment } from '../../parts/moment.tsx'
import type { Source } from './data.ts'
import { t } from './texts.ts'

const known = (code: string): code is keyof typeof t.codes => Object.hasOwn(t.codes, code)

/** The last refused calls in words, with advice. */
export function Refusals({ source: { refusals } }: { source: Source }) {
  if (refusals.length === 0) return <p class="quiet">{t.noRefusals}</p>
  return (
    <ul class="provisioning-refusals">
      {refusals.map(({ at, call, code }, n) => (
        <li key={`${at} ${n}`}>
          <span class="provisioning-call">
            <code dir="ltr">{call}</code>
            <span class="quiet small">
              <Moment at={at} />
            </span>
          </span>
          <span>{known(code) ? t.codes[code] : t.otherCode(code)}</span>
        </li>
      ))}
    </ul>
  )
}
