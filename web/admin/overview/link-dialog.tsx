import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { attempt } from '../../parts/failures.ts'
import { say } from '../../parts/toasts.tsx'
import { exactly } from '../../platform/dates.ts'
import type { ResetLink } from './data.ts'
import { t } from './texts.ts'

/** A link that sets a password, shown once, to be handed to its person. */
export function LinkDialog({ title, link, close }: { title: string; link: ResetLink; close: () => void }) {
  const copy = async () => {
    if (await attempt(navigator.clipboard.writeText(link.resetUrl))) say({ text: t.copied })
  }
  return (
    <Dialog
      title={title}
      close={close}
      end={
        <>
          <Button kind="main" icon="copy" onClick={copy}>
            {t.copy}
          </Button>
          <Button onClick={close}>{t.close}</Button>
        </>
      }
    >
      <p>{t.linkHint(exactly(link.expiresAt))}</p>
      <p>
        <code dir="ltr" class="overview-link">
          {link.resetUrl}
        </code>
      </p>
    </Dialog>
  )
}
