import { useSignal } from '@preact/signals'
import { TextField } from '../../parts/forms/field.tsx'
import { hasPasskeys } from '../../parts/forms/passkeys.ts'
import { useClosing, useSaving } from '../../parts/forms/saving.ts'
import { ConfirmedButton } from '../../parts/overlay/confirmed-button.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Section } from '../../parts/show/section.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { ago } from '../../platform/ago.ts'
import { exactly, shortDay } from '../../platform/dates.ts'
import { addPasskey, type Passkey, passkeys, removePasskey, renamePasskey } from './data.ts'
import { ownDevice } from './devices.ts'
import type { ShowsCodes } from './lazy-codes.ts'
import { t } from './texts.ts'

function Row({ passkey }: { passkey: Passkey }) {
  const { id, name, createdAt, lastUsedAt, isSynced } = passkey
  const isNaming = useSignal(false)
  return (
    <li class="security-item">
      <Icon name="key-round" size={22} />
      <div>
        <p>
          <bdi>{name}</bdi>
        </p>
        <p class="quiet small security-facts">
          <span title={exactly(lastUsedAt ?? createdAt)}>{lastUsedAt ? t.used(ago(lastUsedAt)) : t.neverUsed}</span>
          <span>{t.added(shortDay(createdAt))}</span>
          <span>{isSynced ? t.synced : t.notSynced}</span>
        </p>
      </div>
      <Button
        kind="plain"
        icon="pencil"
        aria-label={t.renameNamed(name)}
        onClick={() => {
          isNaming.value = true
        }}
      />
      <ConfirmedButton
        act={t.remove}
        label={t.removeNamed(name)}
        hint={t.removePasskeyHint}
        keep={t.keep}
        run={async () => {
          await removePasskey(id)
          say({ text: t.passkeyRemoved(name) })
        }}
      />
      {isNaming.value && (
        <NameDialog
          title={t.renamePasskey}
          act={t.save}
          name={name}
          save={async (typed) => {
            if (typed !== name) await renamePasskey(id, typed)
            say({ text: t.renamed })
          }}
          close={() => {
            isNaming.value = false
          }}
        />
      )}
    </li>
  )
}

interface NameProps {
  title: string
  hint?: string
  act: string
  name: string
  save: (name: string) => Promise<unknown>
  close: () => void
}

function NameDialog({ title, hint, act, name, save, close }: NameProps) {
  const typed = useSignal(name)
  const closing = useClosing(close)
  const { isBusy, error, problem, run, isFilled } = useSaving(
    async () => {
      await save(typed.value.trim())
      closing()
    },
    { fields: ['name'] },
  )
  return (
    <Dialog title={title} close={close} isUnsaved={() => false}>
      <form
        class="security-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isFilled(event.currentTarget)) run()
        }}
      >
        {hint && <p>{hint}</p>}
        <div class="security-pair">
          <TextField
            label={t.passkeyName}
            hint={t.passkeyNameHint}
            name="name"
            required
            maxLength={60}
            autoFocus
            value={typed.value}
            error={error('name')}
            onInput={(event) => {
              typed.value = event.currentTarget.value
            }}
          />
        </div>
        <p class="error" role="alert">
          {problem}
        </p>
        <Button kind="main" type="submit" isBusy={isBusy}>
          {act}
        </Button>
      </form>
    </Dialog>
  )
}

/** Names a new passkey and makes it. If it is the first factor, recovery codes follow, even if the dialog is closed before they arrive. */
function NewPasskey({ show, close }: ShowsCodes & { close: () => void }) {
  const closing = useClosing(close)
  return (
    <NameDialog
      title={t.newPasskey}
      hint={t.newPasskeyHint}
      act={t.goOn}
      name={ownDevice()}
      save={async (name) => {
        show(await addPasskey(name))
        closing()
        say({ text: t.passkeyAdded })
      }}
      close={close}
    />
  )
}

export function Passkeys({ show }: ShowsCodes) {
  const isAdding = useSignal(false)
  return (
    <Section name="passkeys" title={t.passkeys} hint={t.passkeysHint}>
      <Loaded of={passkeys}>
        {(all) =>
          all.length > 0 && (
            <ul class="security-list">
              {all.map((passkey) => (
                <Row key={passkey.id} passkey={passkey} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {hasPasskeys() ? (
        <Button
          icon="plus"
          onClick={() => {
            isAdding.value = true
          }}
        >
          {t.addPasskey}
        </Button>
      ) : (
        <p class="quiet small">{t.noPasskeysHere}</p>
      )}
      {isAdding.value && (
        <NewPasskey
          show={show}
          close={() => {
            isAdding.value = false
          }}
        />
      )}
    </Section>
  )
}
