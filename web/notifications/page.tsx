import './style.css'
import { useSignal } from '@preact/signals'
import { useTitle } from '../frame/site.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { attempt } from '../parts/failures.ts'
import { Loaded } from '../parts/skeleton.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { say } from '../parts/toasts.tsx'
import { resource } from '../platform/cache.ts'
import { longDay, minute, today } from '../platform/dates.ts'
import { at, queryValue, setQuery } from '../platform/router.ts'
import { type Notification, PART, partOf, pathOf, readAll, readOne } from './data.ts'
import { t } from './texts.ts'
import { Told } from './told.tsx'

const DAY_MS = 86_400_000

/** Today, yesterday, or the day. */
function dayOf(moment: string) {
  const day = today(new Date(moment))
  if (day === today(minute.value)) return t.today
  return day === today(new Date(minute.value.getTime() - DAY_MS)) ? t.yesterday : longDay(moment)
}

function Row({ one }: { one: Notification }) {
  const path = pathOf(one)
  const read = () => one.isRead || attempt(readOne(one))
  const inside = <Told one={one} isUnread={!one.isRead} />
  return (
    <li class="notification" data-unread={!one.isRead || undefined}>
      {path ? (
        <a href={at(path)} onClick={read}>
          {inside}
        </a>
      ) : (
        <button type="button" onClick={read}>
          {inside}
        </button>
      )}
    </li>
  )
}

/** The list by days, in parts; what is older is asked for by a press. */
function List({ unread }: { unread: boolean }) {
  const befores = useSignal<number[]>([])
  const older = befores.value.map((before) => partOf(unread, before).data ?? [])
  return (
    <Loaded of={partOf(unread)}>
      {(newest) => {
        const all = [...new Map([...newest, ...older.flat()].map((one) => [one.id, one])).values()].toSorted(
          (one, other) => other.id - one.id,
        )
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
            {[...Map.groupBy(all, ({ createdAt }) => dayOf(createdAt))].map(([day, some]) => (
              <section key={day} class="notification-day" aria-label={day}>
                <h2 class="quiet small">{day}</h2>
                <ul>
                  {some.map((one) => (
                    <Row key={one.id} one={one} />
                  ))}
                </ul>
              </section>
            ))}
            {last.length >= PART && (
              <Button
                onClick={() => {
                  befores.value = [...befores.value, all.at(-1)!.id]
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

const counts = resource('/stats/home')

/** What the person was told, newest first. */
export default function Notifications() {
  useTitle(t.title)
  const unread = queryValue('unread') === '1'
  const count = counts.data?.unreadNotifications ?? 0
  const all = async () => {
    await readAll()
    say({ text: t.allRead })
  }
  return (
    <div class="notifications">
      <div class="section-head">
        <div>
          <h1>{t.title}</h1>
          <p class="quiet small" role="status">
            {counts.data && t.count(count)}
          </p>
        </div>
        {count > 0 && (
          <Button icon="check" onClick={() => attempt(all())}>
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
