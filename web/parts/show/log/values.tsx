/** The changes of an entry, with old and new values side by side. */
import type { ComponentChildren } from 'preact'
import { formatNumber, isolated } from '../../../platform/language.ts'
import { ownWords } from '../../forms/form/merging.ts'
import type { Difference, Entry } from './entries.ts'
import { labelOf } from './fields.ts'
import { RecordName } from './sentence.tsx'
import { t } from './texts.ts'
import { typeOfId, wordOf } from './written.ts'

interface Attendee {
  name: string
  title?: string | null
  kind?: string
}
const isPeople = (value: unknown): value is Attendee[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof (one as Attendee | null)?.name === 'string')
const said = ({ name, title, kind }: Attendee) =>
  [isolated(name), title && isolated(title), t.kinds[kind ?? '']].filter(Boolean).join(t.comma)

/** A list of attendees. Those who are not in `other` are marked. */
function People({ of, other }: { of: Attendee[]; other: unknown }) {
  const others = isPeople(other) ? other.map(said) : undefined
  return (
    <ol class="log-people">
      {of.map((one, index) => {
        const text = said(one)
        return <li key={index}>{!others || others.includes(text) ? text : <mark>{text}</mark>}</li>
      })}
    </ol>
  )
}

interface ValueProps {
  entry: Entry
  field: string
  of: unknown
  /** The value on the other side. If both are texts, the words that differ are marked. */
  other?: unknown
}

/** A value in words. */
export function Value({ entry, field: path, of, other }: ValueProps): ComponentChildren {
  const field = path.replace(/^details\./, '')
  if (of === null || of === undefined || of === '' || (Array.isArray(of) && of.length === 0)) return <span class="quiet">{t.nothing}</span>
  if (typeof of === 'boolean') return of ? t.yes : t.no
  if (typeof of === 'number') {
    const type = typeOfId[field]
    return type ? <RecordName of={{ type, id: of }} entry={entry} /> : formatNumber(of)
  }
  if (isPeople(of)) return <People of={of} other={other} />
  if (Array.isArray(of) && of.every((one) => typeof one === 'string')) return <bdi dir="auto">{of.join(t.comma)}</bdi>
  if (typeof of !== 'string')
    return (
      <bdi dir="ltr" class="log-code">
        {JSON.stringify(of)}
      </bdi>
    )
  if (field === 'color')
    return (
      <>
        <span class="log-swatch" style={{ background: of }} /> <bdi dir="ltr">{of}</bdi>
      </>
    )
  const word = wordOf(field, of)
  if (word) return word
  if (/Url$|route|slug|email/.test(field)) return <bdi dir="ltr">{of}</bdi>
  const [start, own, end] = typeof other === 'string' && other && /\s/.test(of) ? ownWords(of, other) : ['', of, '']
  return (
    <bdi class="log-text">
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
    <span class="log-chips">
      {ids.slice(0, SHOWN).map((id) => (
        <span key={id} class="chip">
          <RecordName of={{ type, id }} entry={entry} />
        </span>
      ))}
      {ids.length > SHOWN && <span class="quiet small">{t.others(ids.length - SHOWN)}</span>}
    </span>
  )
}

/** The fields that changed, each with its old and new value. */
export const Changes = ({ entry, all }: { entry: Entry; all: Difference[] }) => (
  <table class="log-changes">
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
