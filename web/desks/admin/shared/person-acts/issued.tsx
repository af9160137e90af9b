import { Once } from '../../../../parts/overlay/once.tsx'
import { Button } from '../../../../parts/show/button.tsx'
import { CopyField } from '../../../../parts/show/copy-field.tsx'
import { type Schemas, shownOnce } from '../../../../platform/client.ts'
import { exactly } from '../../../../platform/dates.ts'
import { t } from './texts.ts'

export interface Issued {
  /** The name of the person who sets a password with the link. */
  name: string
  link: Schemas['ResetLink']
}

/** A link that sets a password. It is shown only once, and the administrator must hand it over. */
export const IssuedDialog = ({ name, link, close }: Issued & { close: () => void }) => (
  <Once title={t.link.title(name)} close={close} end={<Button onClick={close}>{t.link.done}</Button>}>
    <CopyField
      label={t.link.link}
      value={shownOnce(link.resetUrl)}
      hint={t.link.until(exactly(link.expiresAt))}
      copy={t.link.copy}
      copied={t.link.copied}
    />
  </Once>
)
