import { t as frame } from '../../frame/texts.ts'
import { theme, themes } from '../../frame/theme.ts'
import { SelectField } from '../../parts/forms/field.tsx'
import { Switch } from '../../parts/forms/switch.tsx'
import { Clock } from '../../parts/show/clock.tsx'
import { attempt } from '../../parts/show/failures.ts'
import { Section } from '../../parts/show/section.tsx'
import { arabicDigits, chooseDigits, language } from '../../platform/language.ts'
import { chooseLanguage } from '../../platform/session.ts'
import { type ClockStyle, chooseClock, chooseHours, type Me } from './data.ts'
import { languageNames, t } from './texts.ts'

const clocks: ClockStyle[] = ['full', 'digital', 'digital-no-seconds', 'analog', 'minimal']

/** Language, theme, digits and the clock of the home page. Each takes effect at once. */
export function Look({ person }: { person: Me }) {
  const clock = person.clockStyle ?? 'digital-no-seconds'
  const twelve = person.clockHour12 ?? false
  return (
    <>
      <Section name="look" title={t.look}>
        <div class="account-pair">
          <SelectField
            label={t.language}
            value={language.value}
            choices={(['ar', 'en'] as const).map((value) => ({ value, text: languageNames[value] }))}
            choose={chooseLanguage}
          />
          <SelectField
            label={frame.theme}
            hint={t.deviceOnly}
            value={theme.value}
            choices={themes.map((value) => ({ value, text: frame.themes[value] }))}
            choose={(value) => {
              theme.value = value
            }}
          />
        </div>
        <Switch label={t.arabicDigits} hint={t.deviceOnly} on={arabicDigits.value} change={chooseDigits} />
      </Section>
      <Section name="clock" title={t.clock} hint={t.clockHint}>
        <fieldset class="account-clocks">
          <legend class="unseen">{t.clock}</legend>
          {clocks.map((style) => (
            <label key={style} class="account-clock">
              <input type="radio" name="clock" class="unseen" checked={clock === style} onChange={() => attempt(chooseClock(style))} />
              <span class="account-clock-face">
                <Clock style={style} twelve={twelve} />
              </span>
              <span>{t.clocks[style]}</span>
            </label>
          ))}
        </fieldset>
        <Switch label={t.twelve} on={twelve} change={(on) => attempt(chooseHours(on))} />
      </Section>
    </>
  )
}
