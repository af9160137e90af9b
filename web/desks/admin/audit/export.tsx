import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { meaningOf, report } from '../../../parts/show/failures.ts'
import { Refusal, Unreached } from '../../../platform/refusal.ts'
import { at } from '../../../platform/router.ts'
import { type Filters, MOST_EXPORTED } from './data.ts'
import { t } from './texts.ts'

/** Counts CSV rows chunk by chunk. A quoted cell may contain line breaks. */
function rowCounter() {
  let isQuoted = false
  return (text: string) => {
    let rows = 0
    for (const letter of text) {
      if (letter === '"') isQuoted = !isQuoted
      else if (letter === '\n' && !isQuoted) rows++
    }
    return rows
  }
}

/** Downloads the table and reports the rows received so far. The header row is not counted. */
async function fetchTable(query: URLSearchParams, signal: AbortSignal, report: (rows: number) => void) {
  const response = await fetch(at(`/api/admin/audit-logs/export?${query}`), { signal }).catch((failure) => {
    throw signal.aborted ? failure : new Unreached()
  })
  if (!response.ok || !response.body) throw new Refusal(response.status, await response.json().catch(() => ({})))
  const parts: Uint8Array<ArrayBuffer>[] = []
  const count = rowCounter()
  const decoder = new TextDecoder()
  let rows = -1
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    parts.push(part)
    rows += count(decoder.decode(part, { stream: true }))
    report(Math.max(0, rows))
  }
  return new Blob(parts, { type: 'text/csv' })
}

/** Exports the log as CSV and shows the progress; the export can be stopped. */
export function Export({ filters, total }: { filters: Filters; total: number | undefined }) {
  const isOpen = useSignal(false)
  return (
    <>
      <Button
        icon="download"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {t.export}
      </Button>
      {isOpen.value && (
        <ExportDialog
          filters={filters}
          total={total}
          close={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

function ExportDialog({ filters, total, close }: { filters: Filters; total: number | undefined; close: () => void }) {
  const rows = useSignal<number | undefined>(undefined)
  const failure = useSignal('')
  const stop = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  async function start() {
    const aborting = new AbortController()
    stop.current = aborting
    const { signal } = aborting
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(filters)) for (const one of [value].flat()) query.append(name, String(one))
    rows.value = 0
    failure.value = ''
    try {
      const table = await fetchTable(query, signal, (count) => {
        rows.value = count
      })
      const url = URL.createObjectURL(table)
      Object.assign(document.createElement('a'), { href: url, download: 'audit-log.csv' }).click()
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
      close()
    } catch (thrown) {
      rows.value = undefined
      if (signal.aborted) return
      report(thrown)
      failure.value = meaningOf(thrown)
    }
  }
  const isRunning = rows.value !== undefined
  return (
    <Dialog
      title={t.exportTitle}
      close={close}
      end={
        <>
          {!isRunning && (
            <Button kind="main" icon="download" onClick={start}>
              {t.export}
            </Button>
          )}
          <Button onClick={() => (isRunning ? stop.current?.abort() : close())}>{isRunning ? t.stop : t.close}</Button>
        </>
      }
    >
      {total !== undefined && <p>{total > MOST_EXPORTED ? t.exportFirst(MOST_EXPORTED, total) : t.exportAll(total)}</p>}
      <p role="status">{isRunning && t.arrived(rows.value ?? 0)}</p>
      <p class="error" role="alert">
        {failure}
      </p>
    </Dialog>
  )
}
