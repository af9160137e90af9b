import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useTitle } from '../../frame/site.ts'
import { TextField } from '../../parts/forms/field.tsx'
import { hasPasskeys } from '../../parts/forms/passkeys.ts'
import { useSaving } from '../../parts/forms/saving.ts'
import { Button } from '../../parts/show/button.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { Steps } from '../../parts/show/steps.tsx'
import { present } from '../../platform/ago.ts'
import { longDay } from '../../platform/dates.ts'
import { ownPath } from '../../platform/own-path.ts'
import { at, queryValue } from '../../platform/router.ts'
import { SetUp } from './authenticator.tsx'
import { Codes, Kept, useKept } from './codes.tsx'
import { addPasskey, hasFactor, type Overview, overview } from './data.ts'
import { ownDevice } from './devices.ts'
import { t as words } from './enrol-texts.ts'
import { t } from './texts.ts'

/** Goes on to the address that the person wanted. Loads the page anew, so that refused calls are made again. */
const onward = () => location.assign(at(ownPath(queryValue('next'))))

/** A page to set up a second factor: a passkey or an authenticator app, then the recovery codes. */
export function Enrol() {
  useTitle(words.enrolTitle)
  return (
    <div class="security-enrol">
      <Loaded of={overview}>{(now) => <Wizard now={now} />}</Loaded>
    </div>
  )
}

function Wizard({ now }: { now: Overview }) {
  const way = useSignal<'passkey' | 'app'>(hasPasskeys() ? 'passkey' : 'app')
  const step = useSignal<'factor' | 'codes' | 'done'>('factor')
  const codes = useSignal<readonly string[]>([])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (step.value !== 'factor') heading.current?.focus()
  }, [step.value])
  const made = (some: readonly string[] | null) => {
    codes.value = some ?? []
    step.value = some ? 'codes' : 'done'
  }
  const { box, leave } = useKept(() => {
    step.value = 'done'
  })
  if (step.value === 'factor' && hasFactor(now))
    return (
      <>
        <h1>{words.enrolTitle}</h1>
        <p>{words.alreadyEnrolled}</p>
        <div class="security-acts">
          <Button kind="main" onClick={onward}>
            {t.goOn}
          </Button>
          <a class="button" href={at('/account/security')}>
            {t.title}
          </a>
        </div>
      </>
    )
  return (
    <>
      <Steps label={words.enrolTitle} steps={[words.stepFactor, words.stepCodes]} reached={step.value === 'factor' ? 0 : 1} />
      {step.value === 'factor' && (
        <>
          <div>
            <h1>{words.enrolTitle}</h1>
            <p class="quiet">
              {now.duty ? words.enrolDuty(longDay(now.duty.until), new Date(now.duty.until) < present()) : words.enrolHint}
            </p>
          </div>
          {way.value === 'passkey' ? <ByPasskey done={made} /> : <SetUp done={made} />}
          {hasPasskeys() ? (
            <button
              type="button"
              class="link"
              onClick={() => {
                way.value = way.peek() === 'app' ? 'passkey' : 'app'
              }}
            >
              {way.value === 'passkey' ? words.appInstead : words.passkeyInstead}
            </button>
          ) : (
            <p class="quiet small">{t.noPasskeysHere}</p>
          )}
        </>
      )}
      {step.value === 'codes' && (
        <>
          <h1 ref={heading} tabIndex={-1}>
            {t.newCodes}
          </h1>
          <Codes codes={codes.value} />
          <Kept {...box} />
          <Button kind="main" onClick={leave}>
            {t.goOn}
          </Button>
        </>
      )}
      {step.value === 'done' && (
        <div class="security-enrolled">
          <span class="empty-icon">
            <Icon name="shield" size={28} />
          </span>
          <h1 ref={heading} tabIndex={-1}>
            {words.enrolled}
          </h1>
          <p class="quiet">{words.enrolledHint}</p>
          <Button kind="main" onClick={onward}>
            {t.goOn}
          </Button>
        </div>
      )}
    </>
  )
}

function ByPasskey({ done }: { done: (codes: readonly string[] | null) => void }) {
  const name = useSignal(ownDevice())
  const { isBusy, error, problem, run, isFilled } = useSaving(async () => done(await addPasskey(name.value.trim())), { fields: ['name'] })
  return (
    <form
      class="security-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isFilled(event.currentTarget)) run()
      }}
    >
      <p>{words.passkeyWhy}</p>
      <div class="security-pair">
        <TextField
          label={t.passkeyName}
          hint={t.passkeyNameHint}
          name="name"
          required
          maxLength={60}
          value={name.value}
          error={error('name')}
          onInput={(event) => {
            name.value = event.currentTarget.value
          }}
        />
      </div>
      <p class="error" role="alert">
        {problem}
      </p>
      <Button kind="main" type="submit" icon="key-round" isBusy={isBusy}>
        {words.makePasskey}
      </Button>
    </form>
  )
}
