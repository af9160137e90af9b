import './tokens.css'
import { useSignal } from '@preact/signals'
import type { Schemas } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { SelectField, TextField } from '../../forms/field.tsx'
import { useClosing, useSaving } from '../../forms/saving.ts'
import { Dialog } from '../../overlay/dialog.tsx'
import { Once } from '../../overlay/once.tsx'
import { Button } from '../button.tsx'
import { CopyField } from '../copy-field.tsx'
import { areas, inWords, type Scope } from './scopes.ts'
import { t } from './texts.ts'

type Wanted = Schemas['NewApiToken']

const lives = [7, 30, 90, 180, 365, 730, 1095]
const USUAL_DAYS = 90
/** The lifetimes to offer, in days: the usual ones below `most`, and `most` itself. */
export const livesUpTo = (most: number) => [...lives.filter((one) => one < most), most]

export interface NewTokenProps {
  /** Whether the form is open. The token shows even if the form was closed before the token arrived. */
  isOpen: boolean
  title: string
  /** Whether to offer a scope. If no scope is offered, the portal chooses the scopes of the token. */
  mayGive: (scope: Scope) => boolean
  /** The longest lifetime; null or undefined if no token can be made. */
  mostDays: number | null | undefined
  /** The hint of the token's name, if it is not the usual one. */
  nameHint?: string
  /** Makes the token and returns its text. */
  make: (token: Wanted) => Promise<string>
  close: () => void
}

/** A dialog that asks for a token's name, scopes and lifetime and makes the token, and another that shows it once. */
export function NewToken({ isOpen, mostDays, ...rest }: NewTokenProps) {
  const made = useSignal('')
  return (
    <>
      {isOpen && mostDays && <Fields {...rest} mostDays={mostDays} made={(token) => (made.value = token)} />}
      {made.value && <Made token={made.value} close={() => (made.value = '')} />}
    </>
  )
}

/** If a token was refused for lack of rights, the chosen scopes that its owner has no right to. */
function lackingIn(failure: unknown) {
  if (!(failure instanceof Refusal)) return undefined
  const detail = failure.body.details?.find(({ rule }) => rule === 'ownerRights')
  return detail?.params['scopes'] as Scope[] | undefined
}

interface FieldsProps extends Omit<NewTokenProps, 'isOpen'> {
  mostDays: number
  made: (token: string) => void
}

function Fields({ title, mayGive, mostDays, nameHint = t.nameHint, make, made, close }: FieldsProps) {
  const name = useSignal('')
  const days = useSignal(String(Math.min(USUAL_DAYS, mostDays)))
  const scopes = useSignal<readonly Scope[]>([])
  const isMissing = useSignal(false)
  const isChosen = areas.some(([, all]) => all.some(mayGive))
  const closing = useClosing(close)
  const { isBusy, error, problem, failure, run, isFilled } = useSaving(
    async () => {
      made(await make({ name: name.value.trim(), scopes: [...scopes.value], expiresInDays: Number(days.value) }))
      closing()
    },
    { fields: ['name', 'scopes', 'expiresInDays'] },
  )
  const lacking = lackingIn(failure)
  const wrong = isMissing.value ? t.chooseOne : lacking ? t.lacking(inWords(lacking)) : error('scopes')
  const toggle = (scope: Scope, isOn: boolean) => {
    scopes.value = isOn ? [...scopes.value, scope] : scopes.value.filter((one) => one !== scope)
    isMissing.value = false
  }
  return (
    <Dialog title={title} class="token-new" close={close}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const isNamed = isFilled(event.currentTarget)
          isMissing.value = isChosen && scopes.value.length === 0
          if (isNamed && !isMissing.value) run()
        }}
      >
        <TextField
          label={t.name}
          hint={nameHint}
          name="name"
          required
          maxLength={60}
          autoFocus
          value={name.value}
          error={error('name')}
          onInput={(event) => {
            name.value = event.currentTarget.value
          }}
        />
        {isChosen && (
          <fieldset class="token-scopes" aria-describedby="token-may token-wrong" aria-invalid={wrong ? true : undefined}>
            <legend>{t.may}</legend>
            <p id="token-may" class="quiet small">
              {t.mayHint}
            </p>
            <p id="token-wrong" class="error small" role="alert">
              {wrong}
            </p>
            {areas.map(([area, all]) => {
              const open = all.filter(mayGive)
              if (open.length === 0) return null
              return (
                <div key={area} role="group" aria-labelledby={`token-${area}`}>
                  <p id={`token-${area}`} class="token-area">
                    {t.areas[area]}
                  </p>
                  {open.map((scope) => (
                    <label key={scope} class="token-scope">
                      <input
                        type="checkbox"
                        checked={scopes.value.includes(scope)}
                        onChange={(event) => toggle(scope, event.currentTarget.checked)}
                      />
                      {t.scopes[scope]}
                    </label>
                  ))}
                </div>
              )
            })}
          </fieldset>
        )}
        <SelectField
          label={t.lasts}
          value={days.value}
          error={error('expiresInDays')}
          choices={livesUpTo(mostDays).map((one) => ({ value: String(one), text: t.days(one) }))}
          choose={(chosen) => {
            days.value = chosen
          }}
        />
        <p class="error" role="alert">
          {problem}
        </p>
        <div class="dialog-end">
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Button kind="main" type="submit" isBusy={isBusy}>
            {t.make}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Made({ token, close }: { token: string; close: () => void }) {
  return (
    <Once title={t.made} close={close} end={<Button onClick={close}>{t.done}</Button>}>
      <CopyField label={t.token} value={token} hint={t.madeHint} copy={t.copy} copied={t.copied} />
      <div>
        <p class="quiet small">{t.use}</p>
        <code class="token-use" dir="ltr">
          Authorization: Bearer {token.slice(0, 8)}…
        </code>
      </div>
    </Once>
  )
}
