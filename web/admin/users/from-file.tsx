import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Key } from '../../parts/lines.tsx'
import { Once } from '../../parts/once.tsx'
import { useSaving } from '../../parts/saving.ts'
import { resource } from '../../platform/cache.ts'
import { answer, api, idempotencyKey } from '../../platform/client.ts'
import { formatNumber, inLanguage } from '../../platform/language.ts'
import { type Invited, inParts, invite } from '../shared/invitations.ts'
import { columns, decode, parseCsv, writeCsv } from './csv.ts'
import { sampleRow, t } from './from-file-texts.ts'
import { namesGroups, type Row, readRows } from './rows.ts'

const MOST_ROWS = 2000
const SHOWN = 100

type Outcome = Invited<Row>

/** Marks the rows of people who already have an account. */
async function markKnown(rows: readonly Row[]): Promise<Row[]> {
  const known = new Set<string>()
  for (const some of inParts(rows.filter(({ fault }) => !fault))) {
    const found = await answer(api.POST('/users/resolve', { body: { texts: some.map(({ username }) => username) } }))
    for (const { matches } of found) for (const { username } of matches) known.add(username.toLowerCase())
  }
  return rows.map((row) => (!row.fault && known.has(row.username.toLowerCase()) ? { ...row, fault: { code: 'known' } } : row))
}

async function readFile(file: File): Promise<Row[] | 'noEmail' | 'tooMany' | 'empty'> {
  const table = parseCsv(decode(await file.arrayBuffer()))
  if (table.length < 2) return 'empty'
  if (table.length > MOST_ROWS + 1) return 'tooMany'
  const rows = readRows(table, namesGroups(table) ? await resource('/groups').load() : [])
  return rows ? markKnown(rows) : 'noEmail'
}

const itemOf = ({ username, email, displayNameAr, displayNameEn, preferredLanguage, groupIds }: Row) => ({
  ...{ username, email, groupIds },
  ...(displayNameAr && { displayNameAr }),
  ...(displayNameEn && { displayNameEn }),
  ...(preferredLanguage && { preferredLanguage }),
})

function save(name: string, text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

const faultOf = ({ fault }: Row) => (!fault ? t.isNew : fault.code === 'group' ? t.noGroup(fault.name) : t.faults[fault.code])
const meaningOf = ({ verdict }: Outcome) => (verdict ? inLanguage(verdict.messageAr, verdict.messageEn) : t.wasInvited)

const downloadResults = (rows: readonly Row[], outcomes: readonly Outcome[]) => {
  const done = new Map(outcomes.map((outcome) => [outcome.of, outcome]))
  const cells = (row: Row) => {
    const outcome = done.get(row)
    const { resetUrl, expiresAt = '' } = outcome?.invitation ?? {}
    return [
      String(row.line),
      row.username,
      row.email,
      outcome ? meaningOf(outcome) : faultOf(row),
      resetUrl ?? '',
      resetUrl ? expiresAt : '',
    ]
  }
  save(`${t.results}.csv`, writeCsv([[t.line, t.username, t.email, t.verdict, t.link, t.until], ...rows.map(cells)]))
}

/** Reads a file with people, says for each row whether it is new, known or faulty, and invites the new ones. */
export function FromFile({ close }: { close: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const rows = useSignal<Row[] | undefined>(undefined)
  const wrong = useSignal<'noEmail' | 'tooMany' | 'empty' | undefined>(undefined)
  const outcomes = useSignal<readonly Outcome[]>([])
  const isDone = useSignal(false)
  /** Whether the person has downloaded all links so far. */
  const isSaved = useSignal(false)
  /** The portions still to be sent, each with its idempotency key. */
  const parts = useRef<{ some: Row[]; key: string }[]>([])
  const reading = useSaving(async (file: File) => {
    rows.value = undefined
    const read = await readFile(file)
    wrong.value = typeof read === 'string' ? read : undefined
    rows.value = typeof read === 'string' ? undefined : read
    outcomes.value = []
    parts.current = inParts((rows.value ?? []).filter(({ fault }) => !fault)).map((some) => ({ some, key: idempotencyKey() }))
  })
  const sending = useSaving(async () => {
    while (parts.current.length > 0) {
      const { some, key } = parts.current[0]!
      outcomes.value = [...outcomes.value, ...(await invite(some, itemOf, key))]
      parts.current.shift()
      isSaved.value = false
    }
    isDone.value = true
  })
  const all = rows.value
  const fresh = all?.filter(({ fault }) => !fault) ?? []
  const count = (isCounted: (row: Row) => boolean) => all?.filter(isCounted).length ?? 0
  const known = count(({ fault }) => fault?.code === 'known')
  const faulty = count(({ fault }) => fault !== undefined && fault.code !== 'known')
  const isBegun = outcomes.value.length > 0
  const hasLinks = outcomes.value.some(({ invitation }) => invitation?.resetUrl)
  const download = (
    <Button
      kind={hasLinks && isDone.value ? 'main' : undefined}
      icon="download"
      onClick={() => {
        downloadResults(all ?? [], outcomes.value)
        isSaved.value = true
      }}
    >
      {t.download}
    </Button>
  )
  return (
    <Once
      class="users-file"
      title={t.title}
      close={close}
      isKept={!sending.isBusy && (!hasLinks || isSaved.value)}
      end={
        isDone.value ? (
          <>
            {download}
            <Button onClick={close}>{t.done}</Button>
          </>
        ) : (
          <>
            {/* Another file would take the place of the links. */}
            {isBegun ? (
              download
            ) : (
              <Button
                autoFocus
                kind={all ? undefined : 'main'}
                icon="upload"
                isBusy={reading.isBusy}
                onClick={() => input.current?.click()}
              >
                {all || wrong.value ? t.other : t.choose}
              </Button>
            )}
            {all && (
              <Button kind="main" isBusy={sending.isBusy} disabled={fresh.length === 0} onClick={() => sending.run()}>
                {isBegun ? t.goOn : t.create(fresh.length)}
              </Button>
            )}
          </>
        )
      }
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,text/csv,text/plain"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) reading.run(file)
          event.currentTarget.value = ''
        }}
      />
      {isDone.value ? (
        <Results outcomes={outcomes.value} hasLinks={hasLinks} />
      ) : all ? (
        <>
          {isBegun && <Results outcomes={outcomes.value} hasLinks={hasLinks} />}
          <p role="status">
            {[t.fresh(fresh.length), known > 0 && t.known(known), faulty > 0 && t.faulty(faulty)].filter(Boolean).join(t.between)}
          </p>
          <Preview rows={all} />
        </>
      ) : (
        <>
          <p>{t.hint}</p>
          <div>
            <Button kind="plain" icon="download" onClick={() => save(`${t.title}.csv`, writeCsv([[...columns], sampleRow]))}>
              {t.sample}
            </Button>
          </div>
        </>
      )}
      <p class="error" role="alert">
        {wrong.value ? t[wrong.value] : reading.problem || sending.problem}
      </p>
    </Once>
  )
}

/** The faulty rows first, then the others, up to a readable number. */
function Preview({ rows }: { rows: readonly Row[] }) {
  const shown = rows.toSorted((one, other) => Number(!one.fault) - Number(!other.fault)).slice(0, SHOWN)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <div class="users-preview" role="region" aria-label={t.title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.line}</th>
            <th scope="col">{t.person}</th>
            <th scope="col">{t.verdict}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.line} data-kind={row.fault && row.fault.code !== 'known' ? 'faulty' : undefined}>
              <td class="numbers">{formatNumber(row.line)}</td>
              <td>
                <span class="person">
                  <span>
                    <bdi>{inLanguage(row.displayNameAr, row.displayNameEn) || row.username}</bdi>
                  </span>
                  <Key>{row.email}</Key>
                </span>
              </td>
              <td>{faultOf(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN && <p class="quiet small">{t.more(rows.length - SHOWN)}</p>}
    </div>
  )
}

/** How many people were invited, and why the others were not. */
function Results({ outcomes, hasLinks }: { outcomes: readonly Outcome[]; hasLinks: boolean }) {
  const refused = outcomes.filter(({ verdict }) => verdict)
  return (
    <>
      <p role="status">
        {[t.invited(outcomes.length - refused.length), refused.length > 0 && t.refused(refused.length)].filter(Boolean).join(t.between)}
      </p>
      {outcomes.length > refused.length && <p class="quiet">{hasLinks ? t.links : t.mailed}</p>}
      {refused.length > 0 && (
        <ul class="users-verdicts">
          {refused.slice(0, SHOWN).map((outcome) => (
            <li key={outcome.of.line}>
              <bdi>{outcome.of.username}</bdi>
              <span class="quiet">{meaningOf(outcome)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
