import { useSignal } from '@preact/signals'
import { Button } from '../parts/button.tsx'
import { ConfirmedButton } from '../parts/confirmed-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { lazily } from '../parts/lazily.tsx'
import { Section } from '../parts/section.tsx'
import { say } from '../parts/toasts.tsx'
import { longDay } from '../platform/dates.ts'
import { removeTotp } from './data.ts'
import { CodesDialog } from './lazy-codes.ts'
import { t } from './texts.ts'

/** Loaded on first use, because it contains the code for QR codes. */
export const SetUp = lazily(async () => (await import('./set-up.tsx')).SetUp)

/** Connects an authenticator app. If it is the first factor, the recovery codes follow. */
function NewAuthenticator({ close }: { close: () => void }) {
  const codes = useSignal<readonly string[] | null>(null)
  if (codes.value) return <CodesDialog codes={codes.value} close={close} />
  return (
    <Dialog title={t.newAuthenticator} close={close} isUnsaved={() => false}>
      <SetUp
        done={(made) => {
          codes.value = made
          say({ text: t.authenticatorAdded })
          if (!made) close()
        }}
      />
    </Dialog>
  )
}

export function Authenticator({ since }: { since: string | null }) {
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
          close={() => {
            isAdding.value = false
          }}
        />
      )}
    </Section>
  )
}
