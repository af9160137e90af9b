import { useSignal } from '@preact/signals'
import { useClosing } from '../../parts/forms/saving.ts'
import { ConfirmedButton } from '../../parts/overlay/confirmed-button.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { lazily } from '../../parts/show/lazily.tsx'
import { Section } from '../../parts/show/section.tsx'
import { longDay } from '../../platform/dates.ts'
import { removeTotp } from './data.ts'
import type { ShowsCodes } from './lazy-codes.ts'
import { t } from './texts.ts'

/** Loaded on first use, because it contains the code for QR codes. */
export const SetUp = lazily(async () => (await import('./set-up.tsx')).SetUp)

/** Connects an authenticator app. If it is the first factor, the recovery codes follow, even if the dialog is closed before they arrive. */
function NewAuthenticator({ show, close }: ShowsCodes & { close: () => void }) {
  const closing = useClosing(close)
  return (
    <Dialog title={t.newAuthenticator} close={close} isUnsaved={() => false}>
      <SetUp
        done={(made) => {
          show(made)
          closing()
          say({ text: t.authenticatorAdded })
        }}
      />
    </Dialog>
  )
}

export function Authenticator({ since, show }: ShowsCodes & { since: string | null }) {
  const isAdding = useSignal(false)
  return (
    <Section name="authenticator" title={t.authenticator} hint={t.authenticatorHint}>
      {since ? (
        <>
          <p>{t.authenticatorSince(longDay(since))}</p>
          <ConfirmedButton
            act={t.removeAuthenticator}
            hint={t.removeAuthenticatorHint}
            keep={t.keep}
            run={async () => {
              await removeTotp()
              say({ text: t.authenticatorRemoved })
            }}
          />
        </>
      ) : (
        <Button
          icon="plus"
          onClick={() => {
            isAdding.value = true
          }}
        >
          {t.addAuthenticator}
        </Button>
      )}
      {isAdding.value && (
        <NewAuthenticator
          show={show}
          close={() => {
            isAdding.value = false
          }}
        />
      )}
    </Section>
  )
}
