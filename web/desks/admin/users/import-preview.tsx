import { useSignal } from '@preact/signals'
import { usePages } from '../../../parts/lists/pages.tsx'
import { Segments } from '../../../parts/show/segments.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { formatNumber, inLanguage } from '../../../platform/language.ts'
import { encodings, t } from './from-file-texts.ts'
import { type Import, type ImportRow, rowsOf, type Verdict } from './import-data.ts'

const MOST_NAMES = 3

/** The names in the first rows, which show whether the encoding is right. */
function firstNames(rows: readonly ImportRow[]) {
  const named = rows.map(({ cells, username }) => cells['display_name_ar'] ?? cells['display_name_en'] ?? username ?? '')
  return [...new Set(named.filter(Boolean))].slice(0, MOST_NAMES)
}

/** The encoding and the delimiter with which a file was read, and its rows by verdict. */
export function Preview({ one }: { one: Import }) {
  const { counts, changedSince } = one
  const verdict = useSignal<Verdict | 'all'>(counts.refused > 0 && one.state === 'previewed' ? 'refused' : 'all')
  const filters: [Verdict, number][] = [
    ['create', counts.create],
    ['update', counts.update],
    ['unchanged', counts.unchanged],
    ['refused', counts.refused],
    ['changed_since', changedSince],
    ['deactivate', counts.deactivate],
  ]
  const some = filters.filter(([, count]) => count > 0)
  const of = (name: Verdict, count: number) => `${t.verdicts[name]} ${formatNumber(count)}`
  return (
    <>
      {one.state === 'previewed' && <HowRead one={one} />}
      <Segments
        label={t.filter}
        of={[['all' as const, t.all] as const, ...some.map(([name, count]) => [name, of(name, count)] as const)]}
        value={verdict.value}
        choose={(name) => {
          verdict.value = name
        }}
      />
      <Rows key={verdict.value} id={one.id} verdict={verdict.value === 'all' ? undefined : verdict.value} />
      <Groups one={one} />
    </>
  )
}

function HowRead({ one }: { one: Import }) {
  const names = firstNames(rowsOf(one.id, undefined)(0).data?.items ?? [])
  const { encoding, delimiter, ignoredColumns, fileName } = one
  return (
    <div class="import-read">
      {fileName && (
        <p>
          <strong>
            <bdi>{fileName}</bdi>
          </strong>
        </p>
      )}
      <p class="quiet">
        {t.readAs(encodings[encoding], t.delimiters[delimiter as keyof typeof t.delimiters] ?? delimiter)}{' '}
        {names.length > 0 && (
          <>
            {t.firstNames}{' '}
            {names.map((name, at) => (
              <span key={name}>
                {at > 0 && t.between}
                <bdi class="import-name">{name}</bdi>
              </span>
            ))}
          </>
        )}
      </p>
      {encoding === 'windows-1256' && <p class="quiet">{t.lookAt}</p>}
      {ignoredColumns.length > 0 && (
        <p class="quiet">
          {t.ignored}{' '}
          {ignoredColumns.map((name, at) => (
            <span key={name}>
              {at > 0 && t.between}
              <bdi>{name}</bdi>
            </span>
          ))}
        </p>
      )}
    </div>
  )
}

function Rows({ id, verdict }: { id: number; verdict: Verdict | undefined }) {
  const { first, rows, more } = usePages({
    of: rowsOf(id, verdict),
    rows: ({ items }) => items,
    id: ({ line, username }) => line ?? `@${username}`,
    isPlain: true,
  })
  return (
    <Loaded of={first}>
      {({ totalCount }) =>
        totalCount === 0 ? (
          <p class="quiet">{t.none}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          <div class="import-rows" role="region" aria-label={t.rows} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t.line}</th>
                  <th scope="col">{t.person}</th>
                  <th scope="col">{t.result}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Row key={row.line ?? row.username} row={row} />
                ))}
              </tbody>
            </table>
            {more}
          </div>
        )
      }
    </Loaded>
  )
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
function written(value: unknown) {
  if (isEmpty(value)) return t.nothing
  if (value === true) return t.yes
  if (value === false) return t.no
  return Array.isArray(value) ? value.join(t.between) : String(value)
}

const NAMES = ['display_name_ar', 'display_name_en', 'email'] as const

function Row({ row }: { row: ImportRow }) {
  const { line, username, verdict, cells, changes, details } = row
  const changed = verdict === 'update' ? (Object.entries(changes) as [keyof typeof t.columns, { from?: unknown; to?: unknown }][]) : []
  // What is new, or refused, is in no other place to be checked.
  const shown = verdict === 'create' || verdict === 'refused' ? NAMES.filter((column) => cells[column]) : []
  return (
    <tr data-kind={verdict === 'refused' || verdict === 'changed_since' ? 'faulty' : undefined}>
      <td class="numbers">{line !== null && formatNumber(line)}</td>
      <td>
        <bdi>{username ?? ''}</bdi>
        {shown.map((column) => (
          <bdi key={column} class="import-change quiet small">
            {cells[column]}
          </bdi>
        ))}
      </td>
      <td>
        <span class="import-verdict">{t.verdicts[verdict]}</span>
        {changed.map(([column, { from, to }]) => (
          <span key={column} class="import-change">
            {t.columns[column]}
            {t.colon} <bdi>{written(from)}</bdi> {t.becomes} <bdi>{written(to)}</bdi>
          </span>
        ))}
        {details.map(({ path, rule, messageAr, messageEn }) => (
          <span key={path + rule} class="import-change">
            {path && `${t.columns[path as keyof typeof t.columns]}${t.colon} `}
            {inLanguage(messageAr, messageEn)}
          </span>
        ))}
      </td>
    </tr>
  )
}

function Groups({ one: { groups } }: { one: Import }) {
  if (groups.length === 0) return null
  return (
    <details class="import-groups">
      <summary>{t.groups(groups.length)}</summary>
      <ul>
        {groups.map(({ id, name, gained, lost }) => (
          <li key={id}>
            <bdi>{name}</bdi>
            <span class="quiet">{[gained > 0 && t.gained(gained), lost > 0 && t.lost(lost)].filter(Boolean).join(t.between)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
