import { SelectField, TextField } from '../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { nameOf } from '../../../platform/language.ts'
import { changePerson, changesOf, type Profile, personOf, removePicture } from './data.ts'
import { Provisioned } from './provisioned.tsx'
import { t } from './texts.ts'

interface Values {
  displayNameAr: string
  displayNameEn: string
  email: string
  preferredLanguage: 'ar' | 'en'
}
const valuesOf = ({ displayNameAr, displayNameEn, email, preferredLanguage }: Profile): Values => ({
  ...{ displayNameAr: displayNameAr ?? '', displayNameEn: displayNameEn ?? '', email },
  preferredLanguage: preferredLanguage === 'en' ? 'en' : 'ar',
})

/** The names, e-mail address and language of a person. */
export function ProfileForm({ person, version }: { person: Profile; version: string | undefined }) {
  const form = useForm<Values>({
    from: valuesOf(person),
    version,
    draft: `user:${person.id}`,
    fieldOf: { email_taken: 'email' },
    canUndo: true,
    async save({ displayNameAr, displayNameEn, ...changed }, version) {
      const names = {
        ...(displayNameAr !== undefined && { displayNameAr: displayNameAr.trim() || null }),
        ...(displayNameEn !== undefined && { displayNameEn: displayNameEn.trim() || null }),
      }
      const saved = await changePerson(person.id, { ...changed, ...names }, version)
      return { from: valuesOf(saved.person), version: saved.version }
    },
    reread: rereading(personOf(person.id), valuesOf),
    async by() {
      const log = changesOf(person.id, 0, 1)
      await log.refresh()
      const actor = log.peek()?.entries[0]?.actor
      return actor ? nameOf(actor) : ''
    },
  })
  const remove = () => attempt(removePicture(person.id).then(() => void say({ text: t.pictureRemoved })))
  return (
    <Form of={form}>
      <Provisioned person={person} />
      {person.avatarUrl && (
        <div class="user-picture">
          <Avatar person={person} size={72} />
          <Button kind="plain" onClick={remove}>
            {t.removePicture}
          </Button>
        </div>
      )}
      <TextField label={t.nameAr} maxLength={200} {...form.text('displayNameAr')} />
      <TextField label={t.nameEn} maxLength={200} {...form.text('displayNameEn')} />
      <TextField label={t.email} type="email" dir="ltr" required hint={t.emailHint} {...form.text('email')} />
      <TextField label={t.username} dir="ltr" readOnly value={person.username} hint={t.usernameHint} />
      <SelectField
        label={t.language}
        value={form.values.preferredLanguage}
        choices={[
          { value: 'ar', text: t.languages.ar },
          { value: 'en', text: t.languages.en },
        ]}
        choose={(chosen) => form.set('preferredLanguage', chosen)}
      />
      <ChangedMeanwhile
        of={form}
        labels={{ displayNameAr: t.nameAr, displayNameEn: t.nameEn, email: t.email, preferredLanguage: t.language }}
        written={(field, value) => (field === 'preferredLanguage' ? t.languages[value === 'en' ? 'en' : 'ar'] : String(value ?? ''))}
      />
      <div>
        <Save of={form} />
      </div>
    </Form>
  )
}
