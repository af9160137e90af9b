import { Empty } from '../../parts/empty.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { resource } from '../../platform/cache.ts'
import { ago } from '../../platform/dates.ts'
import { isolated, nameOf } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { t } from '../texts.ts'

/** Says in place of a record that it was deleted, by whom and when, as far as the audit log tells; or that there never was one. */
export function Gone({ icon, title, type, id, list }: { icon: IconName; title: string; type: string; id: number; list: string }) {
  const log = resource('/admin/audit-logs', { query: { targetType: type, targetId: id, limit: 1 } })
  const entry = log.data?.entries[0]
  if (!log.data && !log.error) return <Skeleton />
  return (
    <Empty
      icon={log.data && !entry ? 'search' : icon}
      title={log.data && !entry ? t.never : title}
      isPage
      act={
        <>
          <a class="button" data-kind="main" href={at(list)}>
            {t.toList}
          </a>
          {entry && (
            <a class="button" href={at(`/admin/audit?type=${type}&id=${id}`)}>
              {t.whatHappened}
            </a>
          )}
        </>
      }
    >
      {entry?.action.endsWith('delete') && t.deletedBy(entry.actor ? isolated(nameOf(entry.actor)) : t.portal, ago(entry.createdAt))}
    </Empty>
  )
}
