import { Portions } from '../../parts/lists/portions.tsx'
import { SearchField } from '../../parts/lists/search-field.tsx'
import { Avatar } from '../../parts/show/avatar.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { ago } from '../../platform/ago.ts'
import type { Schemas } from '../../platform/client.ts'
import { exactly } from '../../platform/dates.ts'
import { matches } from '../../platform/folded.ts'
import { formatNumber, nameOf } from '../../platform/language.ts'
import { at, queryValue, setQuery } from '../../platform/router.ts'
import { counted } from './counts.ts'
import { nameOfNote, PART, type Status, sentOf, type Tab } from './data.ts'
import { isLeaving } from './later.ts'
import { Halves, NothingFound, StatusChip, shape } from './received.tsx'
import { t } from './texts.ts'

type Sent = Schemas['SentNote']
const statuses: Status[] = ['replied', 'read', 'unread', 'archived']
const MOST_FACES = 5

function Row({ note }: { note: Sent }) {
  const counts = statuses.map((status) => ({ status, count: note.recipients.filter((one) => one.status === status).length }))
  return (
    <li class="notes-row" data-color={note.color}>
      <div class="notes-row-text">
        <h2>
          <a href={at(`/notes/${note.id}`)} dir="auto">
            {nameOfNote(note)}
          </a>
        </h2>
        <p class="notes-foot small quiet">
          <time dateTime={note.updatedAt} title={exactly(note.updatedAt)}>
            {ago(note.updatedAt)}
          </time>
          <span>{counted.replies(note.replyCount)}</span>
        </p>
        <details>
          <summary>
            <span class="notes-faces">
              {note.recipients.slice(0, MOST_FACES).map(({ id, recipient }) => (
                <Avatar key={id} person={recipient} size={28} />
              ))}
            </span>
            <span class="small">{counted.people(note.recipients.length)}</span>
            {counts.map(
              ({ status, count }) =>
                count > 0 && (
                  <span key={status} class="notes-count">
                    <StatusChip status={status} />
                    {note.recipients.length > 1 && <span class="small numbers">{formatNumber(count)}</span>}
                  </span>
                ),
            )}
          </summary>
          <ul class="notes-people">
            {note.recipients.map(({ id, recipient, status, recipientUserId }) => (
              <li key={id}>
                <Avatar person={recipient} size={28} />
                <a href={at(`/notes/${note.id}?with=${recipientUserId}`)}>
                  <bdi>{nameOf(recipient)}</bdi>
                </a>
                <StatusChip status={status} />
              </li>
            ))}
          </ul>
        </details>
      </div>
    </li>
  )
}

/** Sent notes, with the status of each recipient. */
export const SentList = () => (
  <>
    <div class="notes-filter">
      <SearchField label={t.searchSent} value={queryValue('q')} change={(q) => setQuery({ q })} />
    </div>
    <Halves>{(tab) => <SentHalf tab={tab} />}</Halves>
  </>
)

function SentHalf({ tab }: { tab: Tab }) {
  const typed = queryValue('q')
  const isFound = ({ title, content, recipients }: Sent) =>
    matches(typed, title, content, ...recipients.flatMap(({ recipient: one }) => [one.displayNameAr, one.displayNameEn, one.username]))
  const draw = (all: Sent[], isOnly: boolean) => {
    const shown = all.filter((note) => !isLeaving('/notes/{id}', note.id) && isFound(note))
    if (shown.length > 0)
      return (
        <ul class="notes-rows">
          {shown.map((note) => (
            <Row key={note.id} note={note} />
          ))}
        </ul>
      )
    if (typed) return isOnly && <NothingFound typed={typed} />
    return (
      isOnly && (
        <Empty
          icon={tab === 'archived' ? 'archive' : 'send'}
          title={tab === 'archived' ? t.emptyArchive : t.emptySent}
          act={
            tab === 'active' && (
              <a class="button" href={at('/notes')}>
                {t.toMine}
              </a>
            )
          }
        >
          {tab === 'archived' ? t.emptyArchiveHint : t.emptySentHint}
        </Empty>
      )
    )
  }
  return (
    <Portions name={`sent ${tab}`} of={(offset) => sentOf(tab, offset)} size={PART} shape={shape}>
      {draw}
    </Portions>
  )
}
