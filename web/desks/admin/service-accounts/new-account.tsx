import { useRef } from 'preact/hooks'
import { TextField } from '../../../parts/forms/field.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { useForm } from '../../../parts/forms/form/use-form.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { isolated } from '../../../platform/language.ts'
import { go } from '../../../platform/router.ts'
import { createAccount, noValues, type Values } from './data.ts'
import { AccountFields } from './fields.tsx'
import { t } from './texts.ts'

/** Creates a service account and opens its page. */
export function NewAccount({ close }: { close: () => void }) {
  const made = useRef(0)
  const form = useForm<Values>({
    from: noValues,
    draft: 'service-account:new',
    fieldOf: { username_taken: 'username', grants_admin: 'roleIds' },
    async save(_changed, _version, all) {
      made.current = (await createAccount(all)).id
    },
    after(isThere) {
      if (isThere) go(`/admin/service-accounts/${made.current}`, { replace: true })
    },
    saidOf: ({ username = '' }) => t.created(isolated(username)),
  })
  return (
    <Dialog title={t.newAccount} close={close} isUnsaved={() => false}>
      <Form of={form}>
        <TextField
          label={t.username}
          hint={t.usernameHint}
          required
          autoFocus
          maxLength={64}
          dir="ltr"
          autocomplete="off"
          spellcheck={false}
          {...form.text('username')}
        />
        <AccountFields form={form} />
        <div class="dialog-end">
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Save of={form} text={t.make} />
        </div>
      </Form>
    </Dialog>
  )
}
