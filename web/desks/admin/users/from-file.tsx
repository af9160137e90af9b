import './from-file.css'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useDrawn, useSaving } from '../../../parts/forms/saving.ts'
import { Switch } from '../../../parts/forms/switch.tsx'
import { Once } from '../../../parts/overlay/once.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { formatNumber } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { saveCsv } from '../shared/csv.ts'
import { sampleRows, t } from './from-file-texts.ts'
import { apply, type Import, importOf, reportOf, sendFile, takeLinks } from './import-data.ts'
import { Preview } from './import-preview.tsx'

interface FromFileProps {
  /** The import that is open; undefined before a file is chosen. */
  id: number | undefined
  show: (id: number) => void
  close: () => void
}

/** Sends a file of people, shows what it would change, applies it and hands out the links of new people. */
export function FromFile({ id, show, close }: FromFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const isDrawn = useDrawn()
  const invites = useSignal(true)
  const deactivates = useSignal(false)
  const sending = useSaving(async (file: File) => {
    deactivates.value = false
    const sent = await sendFile(file)
    if (isDrawn()) show(sent)
  })
  const applying = useSaving(({ id, counts }: Import) =>
    apply(id, {
      invite: invites.value,
      ...(deactivates.value && { deactivateMissing: true, expectedDeactivations: counts.deactivate }),
    }),
  )
  const taking = useSaving(async (id: number) => {
    const links = await takeLinks(id)
    const rows = links.map(({ line, username, email, resetUrl, expiresAt }) => [String(line), username, email, resetUrl, expiresAt])
    saveCsv(t.links, [[t.line, t.username, t.email, t.link, t.until], ...rows])
  })
  const isForeign = sending.failure instanceof Refusal && sending.failure.body.details?.[0]?.rule === 'minProperties'
  const found = id === undefined ? undefined : importOf(id)
  const one = found?.data
  const isOpen = one?.state === 'previewed'
  const isOver = one?.state === 'applied' || one?.state === 'failed'
  const isEmpty = one !== undefined && one.counts.create + one.counts.update === 0 && !deactivates.value
  const choose = (
    <Button autoFocus={!one} kind={one ? undefined : 'main'} icon="upload" isBusy={sending.isBusy} onClick={() => input.current?.click()}>
      {one ? t.other : t.choose}
    </Button>
  )
  return (
    <Once
      class="import"
      title={t.title}
      close={close}
      isKept={!(isOver && one.isWithoutLinks) && !sending.isBusy}
      end={
        <>
          {(!one || isOpen || one.state === 'discarded') && choose}
          {isOpen && (
            <Button kind="main" isBusy={applying.isBusy} disabled={isEmpty} onClick={() => applying.run(one)}>
              {t.apply}
            </Button>
          )}
          {isOver && (
            <a class="button" href={reportOf(one.id)} download>
              {t.report}
            </a>
          )}
          {isOver && one.isWithoutLinks && (
            <Button kind="main" icon="download" isBusy={taking.isBusy} onClick={() => taking.run(one.id)}>
              {t.takeLinks}
            </Button>
          )}
          {(isOver || one?.state === 'applying') && <Button onClick={close}>{t.done}</Button>}
        </>
      }
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,text/csv,text/plain"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) sending.run(file)
          event.currentTarget.value = ''
        }}
      />
      {found ? (
        <Loaded of={found}>
          {(one) => (
            <Body
              one={one}
              invites={invites.value}
              setInvites={(on) => {
                invites.value = on
              }}
              deactivates={deactivates.value}
              setDeactivates={(on) => {
                deactivates.value = on
              }}
            />
          )}
        </Loaded>
      ) : (
        <Beginning send={sending.run} />
      )}
      <p class="error" role="alert">
        {(isForeign ? t.noColumns : sending.problem) || applying.problem || taking.problem}
      </p>
    </Once>
  )
}

/** The rules for a file, and an area onto which a file can be dropped. */
const Beginning = ({ send }: { send: (file: File) => unknown }) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same
  <div
    class="import-drop"
    onDragOver={(event) => event.preventDefault()}
    onDrop={(event) => {
      event.preventDefault()
      const [file] = event.dataTransfer?.files ?? []
      if (file) send(file)
    }}
  >
    <p>{t.hint}</p>
    <p class="quiet">{t.groupsHint}</p>
    <div>
      <Button kind="plain" icon="download" onClick={() => saveCsv(t.title, sampleRows)}>
        {t.sample}
      </Button>
    </div>
  </div>
)

interface BodyProps {
  one: Import
  invites: boolean
  setInvites: (on: boolean) => void
  deactivates: boolean
  setDeactivates: (on: boolean) => void
}

function Body({ one, invites, setInvites, deactivates, setDeactivates }: BodyProps) {
  const { state, counts, done, total, changedSince } = one
  if (state === 'discarded') return <p role="status">{t.discarded}</p>
  if (state === 'applying')
    return (
      <div class="import-progress">
        <p role="status">{t.progress(formatNumber(done), formatNumber(total))}</p>
        <progress value={done} max={Math.max(total, 1)} aria-label={t.applying} />
        <p class="quiet">{t.goesOn}</p>
      </div>
    )
  return (
    <>
      {state === 'applied' && <p role="status">{t.applied}</p>}
      {state === 'failed' && (
        <p class="error" role="status">
          {one.problem === 'not_administrator' ? t.stopped : t.failed} {t.progress(formatNumber(done), formatNumber(total))}
        </p>
      )}
      {changedSince > 0 && <p>{t.changedSince(changedSince)}</p>}
      {state !== 'previewed' && one.isWithoutLinks && <p>{t.linksHint}</p>}
      <Preview one={one} />
      {state === 'previewed' && (
        <div class="import-options">
          {counts.create > 0 && <Switch label={t.invite} hint={t.inviteHint} on={invites} change={setInvites} />}
          {counts.deactivate > 0 && (
            <Switch label={t.deactivate(counts.deactivate)} hint={t.deactivateHint} on={deactivates} change={setDeactivates} />
          )}
        </div>
      )}
    </>
  )
}
