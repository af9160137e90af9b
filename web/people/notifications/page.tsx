import './style.css'
import { useTitle } from '../../frame/site.ts'
import { useKept } from '../../parts/lists/state.ts'
import { Button } from '../../parts/show/button.tsx'
import { capitalised } from '../../parts/show/capitalised.ts'
import { Empty } from '../../parts/show/empty.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { Tabs } from '../../parts/show/tabs.tsx'
import { dayOf } from '../../platform/ago.ts'
import { queryValue, setQuery } from '../../platform/router.ts'
import { byThing, counts, MOST, newestOf, PART } from './data.ts'
import { isRead } from './holding.ts'
import { useKeys } from './keys.ts'
import { markAllRead } from './marking.ts'
import { t } from './texts.ts'
import { Thing } from './thing.tsx'

/** The notifications by day. Older ones load on request. */
function List({ unread }: { unread: boolean }) {
  const limit = useKept(`limit ${unread}`, PART)
  const wanted = newestOf(unread, limit.value)
  const isComing = wanted.data === undefined && limit.value > PART
  const shown = isComing ? limit.value - PART : limit.value
  return (
    // One list that grows: with a list for each part, a new notification would move another from the first into none.
    <Loaded of={newestOf(unread, shown)}>
      {(newest) => {
        const all = unread ? newest.filter((one) => !isRead(one)) : newest
        if (!all.length)
          return unread ? (
            <Empty icon="check" title={t.noneUnread} act={<Button onClick={() => setQuery({ unread: '' })}>{t.showAll}</Button>}>
              {t.noneUnreadHint}
            </Empty>
          ) : (
            <Empty icon="bell" title={t.none}>
              {t.noneHint}
            </Empty>
          )
        return (
          <>
            {[...Map.groupBy(byThing(all), ([, [latest]]) => capitalised(dayOf(latest!.createdAt)))].map(([day, some]) => (
              <section key={day} class="notification-day" aria-label={day}>
                <h2 class="quiet small">{day}</h2>
                <ul>
                  {some.map(([thing, group]) => (
                    <Thing key={thing} group={group} />
                  ))}
                </ul>
              </section>
            ))}
            {isComing && wanted.error ? (
              <Loaded of={wanted}>{() => null}</Loaded>
            ) : (
              shown <= MOST &&
              newest.length >= shown && (
                <Button
                  isBusy={isComing}
                  onClick={() => {
                    limit.value += PART
                  }}
                >
                  {t.more}
                </Button>
              )
            )}
          </>
        )
      }}
    </Loaded>
  )
}

/** All notifications of the person, newest first. */
export default function Notifications() {
  useTitle(t.title)
  const unread = queryValue('unread') === '1'
  const count = counts.data?.unreadNotifications
  useKeys()
  return (
    <div class="notifications">
      <div class="section-head">
        <div>
          <h1>{t.title}</h1>
          <p class="quiet small" role="status">
            {count !== undefined && t.count(count)}
          </p>
        </div>
        {!!count && (
          <Button icon="check" onClick={markAllRead}>
            {t.readAll}
          </Button>
        )}
      </div>
      <Tabs
        label={t.show}
        tabs={[
          { key: 'all', text: t.all },
          { key: 'unread', text: t.unread },
        ]}
        value={unread ? 'unread' : 'all'}
        choose={(key) => setQuery({ unread: key === 'unread' ? '1' : '' })}
      >
        <List key={String(unread)} unread={unread} />
      </Tabs>
    </div>
  )
}
