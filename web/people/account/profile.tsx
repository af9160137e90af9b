import { useMemo } from 'preact/hooks'
import { TextField } from '../../parts/forms/field.tsx'
import { useSaving } from '../../parts/forms/saving.ts'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Section } from '../../parts/show/section.tsx'
import { draft } from '../../platform/drafts.ts'
import { nameOf } from '../../platform/language.ts'
import { type Me, ownManager, saveProfile } from './data.ts'
import { Picture } from './picture.tsx'
import { t } from './texts.ts'

const namesOf = ({ displayNameAr, displayNameEn }: Me) => ({ displayNameAr: displayNameAr ?? '', displayNameEn: displayNameEn ?? '' })
type Names = ReturnType<typeof namesOf>
const isSame = (one: Names, other: Names) => one.displayNameAr === other.displayNameAr && one.displayNameEn === other.displayNameEn

/** The names and the picture that colleagues see. The device stores typed text until it is saved. */
export function Profile({ person }: { person: Me }) {
  const kept = useMemo(() => draft<Partial<Names> | null>('profile', null), [person.id])
  const saved = namesOf(person)
  const manager = ownManager.data?.manager
  const names = { ...saved, ...kept.value.value }
  const { isBusy, error, problem, run } = useSaving(
    async () => {
      // An administrator may have changed a name that was not typed.
      const sent = kept.value.peek() ?? {}
      await saveProfile(Object.fromEntries(Object.entries(sent).map(([name, text]) => [name, text || null])))
      if (isSame({ ...names, ...kept.value.peek() }, names)) await kept.drop()
    },
    { fields: ['displayNameAr', 'displayNameEn'] },
  )
  const bind = (name: 'displayNameAr' | 'displayNameEn') => ({
    name,
    value: names[name],
    error: error(name),
    optional: t.optional,
    maxLength: 200,
    onInput: (event: { currentTarget: HTMLInputElement }) => {
      const typed = { ...kept.value.value, [name]: event.currentTarget.value }
      // While names are being saved, a return to the former names is a change, too.
      kept.value.value = isSame({ ...saved, ...typed }, saved) && !isBusy ? null : typed
    },
  })
  return (
    <Section name="profile" title={t.profile}>
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
          {manager && <TextField label={t.manager} value={nameOf(manager)} readOnly hint={t.managerHint} />}
        </div>
        <p class="error" role="alert">
          {problem}
        </p>
        {(isBusy || !isSame(names, saved)) && (
          <div class="account-save">
            <Button kind="main" type="submit" isBusy={isBusy}>
              {t.save}
            </Button>
            <span class="quiet small">{t.unsaved}</span>
          </div>
        )}
      </form>
    </Section>
  )
}
