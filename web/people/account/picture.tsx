import { PictureField } from '../../parts/forms/picture-field.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Avatar } from '../../parts/show/avatar.tsx'
import { type Me, saveProfile } from './data.ts'
import { t } from './texts.ts'

/** A field to choose, cut and remove the person's picture. */
export const Picture = ({ person }: { person: Me }) => (
  <PictureField
    label={t.picture}
    hint={t.pictureHint}
    name="picture"
    isRound
    value={person.avatarUrl}
    change={async (avatarUrl) => {
      await saveProfile({ avatarUrl })
      say({ text: avatarUrl ? t.pictureSaved : t.pictureRemoved })
    }}
  >
    <Avatar person={person} size={88} />
  </PictureField>
)
