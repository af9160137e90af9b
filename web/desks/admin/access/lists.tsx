import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { SearchField } from '../../../parts/lists/search-field.tsx'
import { SentenceText } from '../../../parts/overlay/consequences/consequences.tsx'
import { AppLine, PersonLine } from '../../../parts/show/lines.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { formatNumber } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { type App, apps } from '../shared/directory.ts'
import { PagesOf } from '../shared/pages-of.tsx'
import { accessOf, audienceOf, isUnknown, type Reason } from './data.ts'
import { past, textsAt } from './past-texts.ts'
import type { NamedPerson } from './question.tsx'
import { reasonText } from './reasons.ts'
import { t } from './texts.ts'

/** The pause in typing before the list is filtered. */
const PAUSE_MS = 150

const Why = ({ of, at }: { of: readonly Reason[]; at?: string | undefined }) => (
  <span class="quiet small access-why">
    {[...new Set(of.map((reason) => reasonText(reason, at)))].map((text) => (
      <span key={text}>
        <SentenceText text={text} />
      </span>
    ))}
  </span>
)

/** Everyone who sees an app, and why. Each row opens the question about that person and app. */
export function Audience({ app }: { app: App }) {
  const typed = useSignal('')
  const sought = useSignal('')
  useEffect(() => {
    const timer = setTimeout(() => {
      sought.value = typed.value.trim().slice(0, 200)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed.value])
  const count = audienceOf(app.id, sought.value, 0).data?.totalCount
  return (
    <section class="access-list">
      <SearchField
        label={t.find}
        value={typed.value}
        change={(value) => {
          typed.value = value
        }}
      />
      <p class="quiet small" role="status">
        {count !== undefined && t.sees(formatNumber(count))}
      </p>
      <div class="card">
        <PagesOf key={sought.value} of={(offset) => audienceOf(app.id, sought.value, offset)} id={({ user }) => user.id} empty={t.nobody}>
          {({ user, reasons }) => (
            <a href={at(`/admin/access?user=${user.id}&app=${app.id}`)}>
              <PersonLine person={user} />
              <Why of={reasons} />
            </a>
          )}
        </PagesOf>
      </div>
    </section>
  )
}

/** Every app that a person sees or, with `moment`, saw then, and why. */
export function Seen({ person, moment }: { person: NamedPerson; moment: string | undefined }) {
  const access = accessOf(person.id, moment)
  if (moment && isUnknown(access.error)) return <p class="quiet">{past.userNotFound}</p>
  const then = moment ? `&at=${moment}` : ''
  return (
    <section class="access-list">
      <p>
        <a class="link" href={at(`/admin/users/${person.id}`)}>
          {t.toUser}
        </a>
      </p>
      <Loaded of={access}>
        {({ apps: seen }) => (
          <div class="card">
            <ul class="pages-of">
              {seen.length === 0 && <li class="quiet">{textsAt(moment).nothing}</li>}
              {seen.map(({ id, nameAr, nameEn, slug, reasons }) => {
                const known = apps.data?.find((one) => one.id === id)
                const look = known ?? { iconName: 'layout-grid', imageUrl: null, color: 'var(--ink-2)' }
                return (
                  <li key={id}>
                    <a href={at(`/admin/access?user=${person.id}&app=${id}${then}`)}>
                      <AppLine app={{ ...look, nameAr, nameEn, slug }} />
                      <Why of={reasons} at={moment} />
                    </a>
                  </li>
                )
              })}
            </ul>
          </div>
        )}
      </Loaded>
    </section>
  )
}
