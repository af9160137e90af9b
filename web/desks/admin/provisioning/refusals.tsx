import { Moment } from '../../../parts/show/moment.tsx'
import { nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import type { Source } from './data.ts'
import { t } from './texts.ts'

const known = (code: string): code is keyof typeof t.codes => Object.hasOwn(t.codes, code)

/** The last refused calls in words, with advice. */
export function Refusals({ source: { refusals } }: { source: Source }) {
  if (refusals.length === 0) return <p class="quiet">{t.noRefusals}</p>
  return (
    <ul class="provisioning-refusals">
      {refusals.map(({ at: moment, call, code, user, group }, n) => (
        <li key={`${moment} ${n}`}>
          <span class="provisioning-call">
            <span>
              {user && (
                <a class="link" href={at(`/admin/users/${user.id}`)}>
                  <bdi>{nameOf(user)}</bdi>
                </a>
              )}
              {group && (
                <a class="link" href={at(`/admin/groups/${group.id}`)}>
                  <bdi>{group.name}</bdi>
                </a>
              )}{' '}
              <code dir="ltr">{call}</code>
            </span>
            <span class="quiet small">
              <Moment at={moment} />
            </span>
          </span>
          <span>{known(code) ? t.codes[code] : t.otherCode(code)}</span>
        </li>
      ))}
    </ul>
  )
}
