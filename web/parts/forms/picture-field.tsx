import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { formatNumber } from '../../platform/language.ts'
import { upload } from '../../platform/upload.ts'
import { Button } from '../show/button.tsx'
import { meaningOf, report } from '../show/failures.ts'
import { lazily } from '../show/lazily.tsx'
import { t } from './upload-texts.ts'

interface PictureProps {
  /** The name of the field, such as "Picture of the app". */
  label: string
  /** The stored path of the picture; null if there is none. */
  value: string | null
  /** Saves the path; the field shows its errors. */
  change: (path: string | null) => unknown
  hint?: string
  /** The name of the stored file, without its extension. */
  name: string
  isRound?: boolean
  error?: string | undefined
  /** Shows the present picture as other pages show it. */
  children?: ComponentChildren
}

const Cropper = lazily(async () => (await import('./cropper.tsx')).Cropper)

/** The largest accepted file, in MB. A larger one takes a device long to decode, and only 512 × 512 px are kept. */
const MOST_MB = 25

/** A picture from the device, cut to a square and stored in the portal. The upload shows its progress and can be stopped. */
export function PictureField({ label, value, change, name, hint, isRound, error, children }: PictureProps) {
  const input = useRef<HTMLInputElement>(null)
  const chosen = useSignal<ImageBitmap | undefined>(undefined)
  const sent = useSignal<number | undefined>(undefined)
  const problem = useSignal('')
  const stop = useRef<AbortController | undefined>(undefined)
  async function read(file: File | undefined) {
    if (!file) return
    problem.value = file.size > MOST_MB * 1_000_000 ? t.tooLarge(formatNumber(MOST_MB)) : ''
    if (!problem.value)
      try {
        chosen.value = await createImageBitmap(file)
      } catch {
        problem.value = t.noPicture
      }
    // Allows the same file to be chosen again.
    if (input.current) input.current.value = ''
  }
  function close() {
    chosen.value?.close()
    chosen.value = undefined
  }
  /** Runs a step, and shows its error unless the person stopped it. */
  async function attempt(step: () => unknown) {
    problem.value = ''
    try {
      await step()
    } catch (failure) {
      if (stop.current?.signal.aborted) return
      report(failure)
      problem.value = meaningOf(failure)
    }
  }
  async function use(cut: Blob) {
    close()
    stop.current = new AbortController()
    const { signal } = stop.current
    const progress = (part: number) => {
      sent.value = part
    }
    progress(0)
    await attempt(async () => change(await upload(cut, `${name}.webp`, { signal, progress })))
    sent.value = undefined
    stop.current = undefined
  }
  const percent = formatNumber(sent.value ?? 0, { style: 'percent' })
  return (
    <div class="picture-field" role="group" aria-label={label}>
      {children}
      <div>
        {hint && <p class="quiet small">{hint}</p>}
        {sent.value === undefined ? (
          <div class="picture-acts">
            <Button icon="image" onClick={() => input.current?.click()}>
              {value ? t.change : t.choose}
            </Button>
            {value && (
              <Button kind="plain" onClick={() => attempt(() => change(null))}>
                {t.remove}
              </Button>
            )}
          </div>
        ) : (
          <div class="picture-acts">
            <progress value={sent.value} max={1} aria-label={t.uploading(percent)} />
            <Button kind="plain" onClick={() => stop.current?.abort()}>
              {t.cancel}
            </Button>
          </div>
        )}
        <p class="error small" role="alert">
          {problem.value || error}
        </p>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        onChange={(event) => read(event.currentTarget.files?.[0])}
      />
      {chosen.value && <Cropper picture={chosen.value} isRound={isRound} close={close} use={use} />}
    </div>
  )
}
