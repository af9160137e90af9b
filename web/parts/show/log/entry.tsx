import './log.css'
import type { ComponentChildren } from 'preact'
import { exactly, timeOfDay } from '../../../platform/dates.ts'
import { formatNumber } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { Avatar } from '../avatar.tsx'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { differencesOf, type Entry, restOf } from './entries.ts'
import { labelOf } from './fields.ts'
import { Sentence } from './sentence.tsx'
import { t } from './texts.ts'
import { Changes, Value } from './values.tsx'

interface EntryProps {
  entry: Entry
  isOpen: boolean
  toggle: () => void
  /** The addresses of the log filtered by the record and by the actor. */
  ofRecord: string
  ofActor: string
  /** Shown inside an open entry, such as the button that reverts it. */
  children: ComponentChildren
}

function Inside({ entry, ofRecord, ofActor, children }: Omit<EntryProps, 'isOpen' | 'toggle'>) {
  const [differences, rest] = [differencesOf(entry), restOf(entry)]
  return (
    <div class="log-inside" id={`inside-${entry.id}`}>
      {differences.length > 0 && <Changes entry={entry} all={differences} />}
      {rest.length > 0 && (
        <dl class="log-rest" aria-label={t.rest}>
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
      <p class="log-links small">
        <span class="quiet">{t.number(formatNumber(entry.id, { useGrouping: false }))}</span>
        <span class="quiet">{exactly(entry.createdAt)}</span>
        {entry.targetId !== null && <a href={at(ofRecord)}>{t.ofRecord}</a>}
        {entry.actor && <a href={at(ofActor)}>{t.ofActor}</a>}
      </p>
      {children}
      <details>
        <summary class="quiet small">{t.raw}</summary>
        <pre dir="ltr" lang="en" class="log-code">
          {JSON.stringify(entry, null, 2)}
        </pre>
      </details>
    </div>
  )
}

/** An entry of the log as a sentence, which opens to show the changes. */
export function LogEntry({ isOpen, toggle, ...inside }: EntryProps) {
  const { entry } = inside
  const { actor, createdAt, id } = entry
  return (
    <li class="log-entry">
      <div class="log-line">
        {actor ? (
          <Avatar person={actor} size={32} />
        ) : (
          <span class="log-nobody">
            <Icon name="settings" size={18} />
          </span>
        )}
        <p class="log-sentence">
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
      {isOpen && <Inside {...inside} />}
    </li>
  )
}
