import { useSignal } from '@preact/signals'
import { SearchField } from '../../../parts/lists/search-field.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { sayFailure } from '../../../parts/show/failures.ts'
import { Moment } from '../../../parts/show/moment.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import { isolated, nameOf } from '../../../platform/language.ts'
import { at, queryValue, setQuery } from '../../../platform/router.ts'
import { saveCsv } from '../shared/csv.ts'
import { type App, audienceOf, opensOf } from './data.ts'
import { t } from './texts.ts'

type Viewer = Schemas['AppViewer']
type Reason = Schemas['AccessReason']
/** Rows per request. */
const AT_ONCE = 100
const MOST = 200

function reasonOf({ via, roleName, groupName, permissionName }: Reason): string {
  if (via === 'admin') return t.becauseAdmin
  if (via === 'unrestricted') return t.becauseOpen
  if (via === 'group') return t.becauseGroup(isolated(groupName ?? ''))
  return t.becausePermission(isolated(permissionName ?? ''), isolated(roleName ?? ''), groupName && isolated(groupName))
}

/** Everyone who sees the app, and why. */
export function People({ app }: { app: App }) {
  const typed = queryValue('q')
  const count = useSignal(AT_ONCE)
  const audience = audienceOf(app.id, typed, Math.min(MOST, count.value))
  return (
    <section class="desk-app-people" aria-label={t.tabs.people}>
      <div class="desk-apps-head">
        <SearchField label={t.findPerson} value={typed} change={(q) => setQuery({ q })} />
        <Table app={app} />
      </div>
      <Loaded of={audience} shape={<Skeleton count={6} shape="line" height={3} />}>
        {({ items, totalCount }) =>
          items.length === 0 ? (
            <Empty icon="users" title={typed ? t.nobodyFound : t.seenByNobody} />
          ) : (
            <>
              <p class="quiet small" role="status">
                {t.people(totalCount)}
              </p>
              <ul class="card desk-app-list">
                {items.map(({ user, reasons }) => (
                  <li key={user.id}>
                    <Avatar person={user} size={32} />
                    <div>
                      <a href={at(`/admin/users/${user.id}`)}>
                        <bdi>{nameOf(user)}</bdi>
                      </a>
                      <p class="quiet small">{reasons.map(reasonOf).join(t.or)}</p>
                    </div>
                    <a class="button" data-kind="plain" href={at(`/admin/access?user=${user.id}&app=${app.id}`)}>
                      {t.why}
                    </a>
                  </li>
                ))}
              </ul>
              {items.length < totalCount &&
                (count.value < MOST ? (
                  <Button
                    isBusy={audience.isFetching}
                    onClick={() => {
                      count.value = MOST
                    }}
                  >
                    {t.more}
                  </Button>
                ) : (
                  <p class="quiet small">{t.narrow}</p>
                ))}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

// Remove isolation marks, which make sense only on pages.
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '')

/** Downloads the whole list as CSV, read page by page. */
function Table({ app }: { app: App }) {
  const isBusy = useSignal(false)
  async function hand() {
    isBusy.value = true
    try {
      const rows: Viewer[] = []
      for (let offset: number | null = 0; offset !== null; ) {
        const page: Schemas['AppAudiencePage'] = await answer(
          api.GET('/apps/{id}/audience', { params: { path: { id: app.id }, query: { limit: MOST, offset } } }),
        )
        rows.push(...page.items)
        offset = page.nextOffset
      }
      const lines = rows.map(({ user, reasons }) => [nameOf(user), user.username, plain(reasons.map(reasonOf).join(t.or))])
      saveCsv(`${app.slug}-people`, [t.columns, ...lines])
    } catch (failure) {
      sayFailure(failure)
    }
    isBusy.value = false
  }
  return (
    <Button icon="download" isBusy={isBusy.value} onClick={hand}>
      {t.handOut}
    </Button>
  )
}

/** The recent openings of the app, with the people who opened it. */
export function Opens({ app }: { app: App }) {
  return (
    <section aria-label={t.tabs.opens}>
      <Loaded of={opensOf(app.id)} shape={<Skeleton count={6} shape="line" height={3} />}>
        {({ opens, totalCount, rangeDays }) =>
          opens.length === 0 ? (
            <Empty icon="chart-line" title={t.neverOpened(rangeDays)} />
          ) : (
            <>
              <p class="quiet small">{t.openedIn(totalCount, rangeDays)}</p>
              <ul class="card desk-app-list">
                {opens.map((open) => (
                  <li key={open.id}>
                    <Avatar person={open} size={32} />
                    <div>
                      <a href={at(`/admin/users/${open.userId}`)}>
                        <bdi>{nameOf(open)}</bdi>
                      </a>
                    </div>
                    <Moment at={open.createdAt} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </section>
  )
}
