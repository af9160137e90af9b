import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Avatar } from '../parts/avatar.tsx'
import { Button } from '../parts/button.tsx'
import { Cropper } from '../parts/cropper.tsx'
import { attempt } from '../parts/failures.ts'
import { say } from '../parts/toasts.tsx'
import { type Me, savePicture, saveProfile } from './data.ts'
import { t } from './texts.ts'

/** The person's picture: chosen from their device, cut to a square, removed. */
export function Picture({ person }: { person: Me }) {
  const input = useRef<HTMLInputElement>(null)
  const chosen = useSignal<ImageBitmap | undefined>(undefined)
  const problem = useSignal('')
  const read = async (file: File | undefined) => {
    if (!file) return
    problem.value = ''
    try {
      chosen.value = await createImageBitmap(file)
    } catch {
      problem.value = t.noPicture
    }
    // The same file may be chosen again.
    if (input.current) input.current.value = ''
  }
  const done = () => {
    chosen.value?.close()
    chosen.value = undefined
  }
  const remove = async () => {
    if (await attempt(saveProfile({ avatarUrl: null }))) say({ text: t.pictureRemoved })
  }
  return (
    <div class="account-picture">
      <Avatar person={person} size={88} />
      <div>
        <p class="quiet small">{t.pictureHint}</p>
        <div class="account-acts">
          <Button icon="image" onClick={() => input.current?.click()}>
            {person.avatarUrl ? t.changePicture : t.choosePicture}
          </Button>
          {person.avatarUrl && (
            <Button kind="plain" onClick={remove}>
              {t.removePicture}
            </Button>
          )}
        </div>
        <p class="error small" role="alert">
          {problem}
        </p>
        <input
          ref={input}
          type="file"
          hidden
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          onChange={(event) => read(event.currentTarget.files?.[0])}
        />
      </div>
      {chosen.value && (
        <Cropper
          isRound
          picture={chosen.value}
          close={done}
          use={async (cut) => {
            if (!(await attempt(savePicture(cut)))) return
            done()
            say({ text: t.pictureSaved })
          }}
        />
      )}
    </div>
  )
}
