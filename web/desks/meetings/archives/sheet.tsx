import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../../parts/show/button.tsx'
import { Failed } from '../../../parts/show/failed.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { hijriDay, longDay } from '../../../platform/dates.ts'
import { type Archive, fetchFile, fileOf } from './data.ts'
import { t } from './texts.ts'

interface SheetProps {
  /** Undefined while it loads, and if it does not exist. */
  archive: Archive | undefined
  /** Whether the archives have been loaded. */
  isKnown: boolean
  close: () => void
}

/** A printed sheet inside the page. Its panel opens at once, even while the sheet is still being made. */
export function Sheet({ archive, isKnown, close }: SheetProps) {
  const box = useRef<HTMLElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null
    box.current?.querySelector('h2')?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'nearest' })
    return () => opener?.isConnected && opener.focus()
  }, [])
  const title = archive && longDay(archive.date, 'UTC')
  const isReady = archive?.status === 'ready'
  return (
    <section
      ref={box}
      class="card prints-sheet"
      aria-label={title ? t.paper(title) : t.opening}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }}
    >
      <div class="section-head">
        <h2 tabIndex={-1}>
          {title ?? t.opening} {archive && <span class="quiet small">{hijriDay(archive.date, 'UTC')}</span>}
        </h2>
        {isReady && navigator.pdfViewerEnabled && (
          <Button icon="printer" onClick={() => frame.current?.contentWindow?.print()}>
            {t.onPaper}
          </Button>
        )}
        {isReady && (
          <a class="button" href={fileOf(archive)} download>
            <Icon name="download" />
            {t.download}
          </a>
        )}
        <Button kind="plain" icon="x" aria-label={t.close} onClick={close} />
      </div>
      {isReady ? (
        <File archive={archive} frame={frame} />
      ) : archive || !isKnown ? (
        <p class="prints-progress" role="status">
          <progress aria-label={t.arranging} />
          {t.arranging}
        </p>
      ) : (
        <p>{t.notKept}</p>
      )}
    </section>
  )
}

/** The PDF itself, if the browser can show PDF files. */
function File({ archive, frame }: { archive: Archive; frame: { current: HTMLIFrameElement | null } }) {
  const url = useSignal('')
  const failure = useSignal<Error | undefined>(undefined)
  const tries = useSignal(0)
  useEffect(() => {
    if (!navigator.pdfViewerEnabled) return
    const aborting = new AbortController()
    failure.value = undefined
    fetchFile(archive, aborting.signal).then(
      (file) => {
        url.value = URL.createObjectURL(file)
      },
      (thrown) => {
        if (!aborting.signal.aborted) failure.value = thrown
      },
    )
    return () => {
      aborting.abort()
      URL.revokeObjectURL(url.peek())
    }
  }, [archive.id, tries.value])
  if (!navigator.pdfViewerEnabled) return <p class="quiet">{t.noViewer}</p>
  if (failure.value) return <Failed title={t.failed} failure={failure.value} retry={() => tries.value++} />
  if (!url.value)
    return (
      <p class="prints-progress" role="status">
        <progress aria-label={t.opening} />
        {t.opening}
      </p>
    )
  return <iframe ref={frame} class="prints-paper" title={t.paper(longDay(archive.date, 'UTC'))} src={`${url.value}#navpanes=0&view=FitH`} />
}
