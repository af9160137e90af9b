import type { ComponentChildren } from 'preact'
import { Avatar } from '../../parts/avatar.tsx'
import { Button } from '../../parts/button.tsx'
import { ownWords } from '../../parts/form/merging.ts'
import { Icon } from '../../parts/icon.tsx'
import { exactly, hijriDay, longDay, timeOfDay } from '../../platform/dates.ts'
import { formatNumber } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { type Difference, differencesOf, type Entry, restOf } from '../shared/log/entries.ts'
import { labelOf } from '../shared/log/fields.ts'
import { PutBack } from '../shared/log/put-back.tsx'
import { RecordName, Sentence } from '../shared/log/sentence.tsx'
import { t as words } from '../shared/log/texts.ts'
import { t } from './texts.ts'

/** Fields whose number is that of a record. */
const records: Record<string, string> = {
  ...{ assigneeId: 'user', reviewerId: 'user', requesterId: 'user', userId: 'user' },
  ...{ categoryId: 'service_category', meetingId: 'meeting', roleId: 'role', groupId: 'group', appId: 'app' },
}

/** A value as people read it. `other` is the one it is shown beside: where both are texts, the words that differ are marked. */
function Value({ entry, field, of, other }: { entry: Entry; field: string; of: unknown; other?: unknown }): ComponentChildren {
  if (of === null || of === undefined || of === '') return <span class="quiet">{words.nothing}</span>
  if (typeof of === 'boolean') return of ? words.yes : words.no
  if (typeof of === 'number') return records[field] ? <RecordName of={{ type: records[field], id: of }} entry={entry} /> : formatNumber(of)
  if (typeof of !== 'string')
    return (
      <bdi dir="ltr" class="audit-code">
        {JSON.stringify(of)}
      </bdi>
    )
  if (field === 'color')
    return (
      <>
        <span class="audit-swatch" style={{ background: of }} /> <bdi dir="ltr">{of}</bdi>
      </>
    )
  if (/Url$|route|slug|email/.test(field)) return <bdi dir="ltr">{of}</bdi>
  if (/^\d{4}-\d\d-\d\d$/.test(of)) return `${longDay(of, 'UTC')} (${hijriDay(of, 'UTC')})`
  const [start, own, end] = typeof other === 'string' && other && /\s/.test(of) ? ownWords(of, other) : ['', of, '']
  return (
    <bdi class="audit-text">
      {start}
      {own === of ? own : <mark>{own}</mark>}
      {end}
    </bdi>
  )
}

const SHOWN = 6
function Chips({ entry, ids, type }: { entry: Entry; ids: number[]; type: string }) {
  if (ids.length === 0) return <span class="quiet">{t.nobody}</span>
  return (
    <span class="audit-chips">
      {ids.slice(0, SHOWN).map((id) => (
        <span key={id} class="chip">
          <RecordName of={{ type, id }} entry={entry} />
        </span>
      ))}
      {ids.length > SHOWN && <span class="quiet small">{t.others(ids.length - SHOWN)}</span>}
    </span>
  )
}

function Changes({ entry, all }: { entry: Entry; all: Difference[] }) {
  return (
    <table class="audit-changes">
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          <th scope="col">{t.before}</th>
          <th scope="col">{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {all.map((one) => (
          <tr key={one.field}>
            <th scope="row">{labelOf(one.field)}</th>
            <td data-name={'of' in one ? t.removed : t.before}>
              {'of' in one ? (
                <Chips entry={entry} ids={one.removed} type={one.of} />
              ) : (
                <Value entry={entry} field={one.field} of={one.from} other={one.to} />
              )}
            </td>
            <td data-name={'of' in one ? t.added : t.after}>
              {'of' in one ? (
                <Chips entry={entry} ids={one.added} type={one.of} />
              ) : (
                <Value entry={entry} field={one.field} of={one.to} other={one.from} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Inside({ entry, differences }: { entry: Entry; differences: Difference[] }) {
  const rest = restOf(entry)
  const { actor, targetType, targetId } = entry
  return (
    <div class="audit-inside" id={`inside-${entry.id}`}>
      {differences.length > 0 && <Changes entry={entry} all={differences} />}
      {rest.length > 0 && (
        <dl class="audit-rest" aria-label={t.rest}>
          {rest.map(([field, value]) => (
            <div key={field}>
              <dt>{labelOf(field)}</dt>
              <dd>
                <Value entry={entry} field={field} of={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p class="audit-links small">
        <span class="quiet">{t.number(formatNumber(entry.id, { useGrouping: false }))}</span>
        <span class="quiet">{exactly(entry.createdAt)}</span>
        {targetId !== null && <a href={at(`/admin/audit?type=${targetType}&id=${targetId}`)}>{t.ofRecord}</a>}
        {actor && <a href={at(`/admin/audit?actor=${actor.id}`)}>{t.ofActor}</a>}
      </p>
      <PutBack entry={entry} />
      <details>
        <summary class="quiet small">{t.raw}</summary>
        <pre dir="ltr" lang="en" class="audit-code">
          {JSON.stringify(entry, null, 2)}
        </pre>
      </details>
    </div>
  )
}

/** An entry in a sentence; opened, it tells what changed. */
export function AuditEntry({ entry, isOpen, toggle }: { entry: Entry; isOpen: boolean; toggle: () => void }) {
  const { actor, createdAt, id } = entry
  return (
    <li class="audit-entry">
      <div class="audit-line">
        {actor ? (
          <Avatar person={actor} size={32} />
        ) : (
          <span class="audit-nobody">
            <Icon name="settings" size={18} />
          </span>
        )}
        <p class="audit-sentence">
          <Sentence entry={entry} />{' '}
          {entry.action.includes('force') && (
            <span class="chip" data-kind="danger">
              {t.isForced}
            </span>
          )}
        </p>
        <time class="numbers quiet" dateTime={createdAt} title={exactly(createdAt)}>
          {timeOfDay(createdAt)}
        </time>
        <Button
          kind="plain"
          icon="chevron-down"
          aria-label={t.open}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `inside-${id}` : undefined}
          onClick={toggle}
        />
      </div>
      {isOpen && <Inside entry={entry} differences={differencesOf(entry)} />}
    </li>
  )
}
