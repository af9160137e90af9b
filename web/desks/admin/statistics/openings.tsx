import { useRef } from 'preact/hooks'
import { addressWith } from '../../../parts/lists/filters/address.ts'
import { useKept } from '../../../parts/lists/state.ts'
import { Beside } from '../../../parts/overlay/beside.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Failed } from '../../../parts/show/failed.tsx'
import { Skeleton } from '../../../parts/show/skeleton.tsx'
import type { Schemas } from '../../../platform/client.ts'
import { exactly, shortDay, timeOfDay } from '../../../platform/dates.ts'
import { named, nameOf } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { go } from '../../../platform/router.ts'
import { opensOfApp, opensOfUser, type Window } from './data.ts'
import { t } from './texts.ts'
import { AppTile } from './tile.tsx'

type Opening = Schemas['AppOpenByAppEntry'] | Schemas['AppOpenByUserEntry']

interface OpeningsProps {
  of: 'app' | 'user'
  id: number
  window: Window
}

/** Every opening of an app or by a person in the window, the newest first. */
export function Openings({ of, id, window }: OpeningsProps) {
  const count = useKept(`openings ${of} ${id}`, 1)
  const opener = useRef(document.activeElement as HTMLElement | null)
  const parts = Array.from({ length: count.value }, (_, part) =>
    of === 'app' ? opensOfApp(id, window, part) : opensOfUser(id, window, part),
  )
  const [first, last] = [parts[0]!.data, parts.at(-1)!]
  const failed = parts.find((part) => part.data === undefined && part.error)
  const isGone = failed?.error instanceof Refusal && failed.error.status === 404
  const title = isGone ? t.gone : !first ? t.title : 'slug' in first ? named(first) : nameOf(first)
  const close = () => {
    go(addressWith({ app: '', user: '' }), { replace: true })
    opener.current?.focus()
  }
  return (
    <Beside title={title} close={close}>
      {first && <p class="quiet">{(of === 'app' ? t.openings : t.openingsBy)(first.totalCount)}</p>}
      <ol class="stats-openings">
        {parts
          .flatMap(({ data }): Opening[] => data?.opens ?? [])
          .map((opening) => (
            <li key={opening.id}>
              {'slug' in opening ? <AppTile app={opening} /> : <Avatar person={opening} size={28} />}
              <span>
                <bdi>{'slug' in opening ? named(opening) : nameOf(opening)}</bdi>
                <time class="quiet small" dateTime={opening.createdAt} title={exactly(opening.createdAt)}>
                  {`${shortDay(opening.createdAt)}${t.comma}${timeOfDay(opening.createdAt)}`}
                </time>
              </span>
            </li>
          ))}
      </ol>
      {failed && !isGone && <Failed title={t.failedOpens} failure={failed.error!} retry={() => failed.refresh()} />}
      {!failed && last.data === undefined && <Skeleton count={4} height={2.5} shape="line" />}
      {last.data && last.data.nextOffset !== null && <Button onClick={() => count.value++}>{t.more}</Button>}
    </Beside>
  )
}
