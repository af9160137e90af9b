import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Switch } from '../../../parts/forms/switch.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Section } from '../../../parts/show/section.tsx'
import { openApps } from './data.ts'
import { choose } from './saved-field.ts'
import { t } from './texts.ts'

/** Opens or closes registration. Opening shows the consequences first; closing is immediate, because nobody loses anything. */
export function Registration({ isOpen }: { isOpen: boolean }) {
  const isAsking = useSignal(false)
  const question = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isAsking.value) question.current?.focus()
  }, [isAsking.value])
  const open = () => {
    isAsking.value = false
    return choose('registrationOpen', true, t.opened)
  }
  const change = (on: boolean) => {
    if (on) isAsking.value = true
    else if (isAsking.peek()) isAsking.value = false
    else choose('registrationOpen', false, t.closed)
  }
  return (
    <Section name="registration" title={t.registration}>
      <Switch label={t.registrationOpen} hint={t.registrationHint} on={isOpen || isAsking.value} change={change} />
      {isAsking.value && !isOpen && (
        <div class="settings-question" role="group" aria-labelledby="registration-consequence" tabIndex={-1} ref={question}>
          <p id="registration-consequence">{t.openConsequence(openApps())}</p>
          <div class="settings-choice">
            <Button kind="main" onClick={open}>
              {t.openRegistration}
            </Button>
            <Button onClick={() => change(false)}>{t.cancel}</Button>
          </div>
        </div>
      )}
    </Section>
  )
}
