import { SelectField } from '../../../parts/forms/field.tsx'
import { Switch } from '../../../parts/forms/switch.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Section } from '../../../parts/show/section.tsx'
import { changeSource, type Source } from './data.ts'
import { t } from './texts.ts'

const switches = ['adoptPeople', 'adoptGroups', 'invite', 'mayGrantAdmin'] as const
const languages = ['auto', 'ar', 'en'] as const

/** The rights of the source. Each change is saved at once. */
export function Settings({ source }: { source: Source }) {
  const { id } = source
  const save = async (body: Parameters<typeof changeSource>[1]) => {
    if (await attempt(changeSource(id, body))) say({ text: t.saved })
  }
  return (
    <Section name="rights" title={t.rights}>
      {switches.map((field) => (
        <Switch
          key={field}
          label={t.settings[field]}
          hint={t.settingHints[field]}
          on={source[field]}
          change={(on) => save({ [field]: on })}
        />
      ))}
      <SelectField
        label={t.nameLanguage}
        hint={t.nameLanguageHint}
        value={source.nameLanguage}
        choices={languages.map((value) => ({ value, text: t.nameLanguages[value] }))}
        choose={(nameLanguage) => save({ nameLanguage })}
      />
    </Section>
  )
}
