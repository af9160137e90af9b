import { useMemo } from 'preact/hooks'
import { useTitle } from '../../../frame/site.ts'
import { TextArea } from '../../../parts/forms/field.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Skeleton } from '../../../parts/show/skeleton.tsx'
import { ago } from '../../../platform/ago.ts'
import { resource } from '../../../platform/cache.ts'
import { draft } from '../../../platform/drafts.ts'
import { isolated, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { t } from '../texts.ts'

/** The unsaved texts that the person typed about a deleted record, so that they can be copied. */
function Typed({ name }: { name: string }) {
  const { value } = useMemo(() => draft<{ mine?: Record<string, unknown> } | null>(`form:${name}`, null), [name])
  const texts = Object.values(value.value?.mine ?? {}).filter((one) => typeof one === 'string' && one.trim())
  return texts.length > 0 ? <TextArea label={t.typed} readOnly value={texts.join('\n\n')} /> : null
}

/** The last moment before an entry. */
const before = (createdAt: string) => new Date(Date.parse(createdAt) - 1).toISOString()

/** Says that a record was deleted, by whom and when, as far as the audit log knows; or that it never existed. */
export function Gone({ title, type, id, list }: { title: string; type: string; id: number; list: string }) {
  const log = resource('/admin/audit-logs', { query: { targetType: type, targetId: id, limit: 1 } })
  const entry = log.data?.entries[0]
  const deletion = entry?.action.endsWith('delete') ? entry : undefined
  const said = log.data && !entry ? t.never : title
  useTitle(said)
  if (!log.data && !log.error) return <Skeleton />
  return (
    <Empty
      icon={log.data && !entry ? 'search' : 'trash-2'}
      title={said}
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
          {type === 'user' && deletion && (
            <a class="button" href={at(`/admin/access?user=${id}&at=${before(deletion.createdAt)}`)}>
              {t.whatTheyOpened}
            </a>
          )}
          <Typed name={`${type}:${id}`} />
        </>
      }
    >
      {deletion && t.deletedBy(deletion.actor ? isolated(nameOf(deletion.actor)) : t.portal, ago(deletion.createdAt))}
    </Empty>
  )
}
