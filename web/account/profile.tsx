import { useSignal } from '@preact/signals'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { useSaving } from '../parts/saving.ts'
import { say } from '../parts/toasts.tsx'
import { type Me, saveProfile } from './data.ts'
import { Picture } from './picture.tsx'
import { Section } from './section.tsx'
import { t } from './texts.ts'

/** The names and the picture that colleagues see. */
export function Profile({ person }: { person: Me }) {
  const names = useSignal({ displayNameAr: person.displayNameAr ?? '', displayNameEn: person.displayNameEn ?? '' })
  const { isBusy, error, problem, run } = useSaving(() =>
    saveProfile({ displayNameAr: names.value.displayNameAr || null, displayNameEn: names.value.displayNameEn || null }),
  )
  const bind = (name: 'displayNameAr' | 'displayNameEn') => ({
    name,
    value: names.value[name],
    error: error(name),
    optional: t.optional,
    maxLength: 200,
    onInput: (event: { currentTarget: HTMLInputElement }) => {
      names.value = { ...names.value, [name]: event.currentTarget.value }
    },
  })
  return (
    <Section title={t.profile}>
      <Picture person={person} />
      <form
        class="account-form"
        onSubmit={async (event) => {
          event.preventDefault()
          if (await run()) say({ text: t.saved })
        }}
      >
        <div class="account-pair">
          <TextField label={t.nameAr} {...bind('displayNameAr')} />
          <TextField label={t.nameEn} {...bind('displayNameEn')} />
          <TextField label={t.username} value={person.username} readOnly name="username" autocomplete="username" />
          <TextField label={t.email} value={person.email} readOnly hint={t.emailHint} dir="ltr" name="email" />
        </div>
        <p class="error" role="alert">
          {problem()}
        </p>
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t.save}
        </Button>
      </form>
    </Section>
  )
}
