import './style.css'
import { useSignal } from '@preact/signals'
import { useTitle } from '../../frame/site.ts'
import { Button } from '../../parts/show/button.tsx'
import { capitalised } from '../../parts/show/capitalised.ts'
import { Empty } from '../../parts/show/empty.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { Tabs } from '../../parts/show/tabs.tsx'
import { dayOf } from '../../platform/ago.ts'
import { queryValue, setQuery } from '../../platform/router.ts'
import { byThing, counts, PART, partOf } from './data.ts'
import { isRead } from './holding.ts'
import { useKeys } from './keys.ts'
import { markAllRead } from './marking.ts'
import { t } from './texts.ts'
import { Thing } from './thing.tsx'

/** The notifications by day. Older pages load on request. */
function List({ unread }: { unread: boolean }) {
  const befores = useSignal<number[]>([])
  const older = befores.value.map((before) => partOf(unread, before).data ?? [])
  return (
    <Loaded of={partOf(unread)}>
      {(newest) => {
        const known = [...new Map([...newest, ...older.flat()].map((one) => [one.id, one])).values()]
        const all = (unread ? known.filter((one) => !isRead(one)) : known).toSorted((one, other) => other.id - one.id)
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
        const last = [newest, ...older].at(-1)!
        return (
          <>
            {[...Map.groupBy(byThing(all), ([newest]) => capitalised(dayOf(newest!.createdAt)))].map(([day, some]) => (
              <section key={day} class="notification-day" aria-label={day}>
                <h2 class="quiet small">{day}</h2>
                <ul>
                  {some.map((group) => (
                    <Thing key={group.at(-1)!.id} group={group} />
                  ))}
                </ul>
              </section>
            ))}
            {last.length >= PART && (
              <Button
                onClick={() => {
                  befores.value = [...befores.value, last.at(-1)!.id]
                }}
              >
                {t.more}
              </Button>
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
