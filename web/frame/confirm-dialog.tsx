import './confirm-dialog.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { CodeField, checkCode, readCode } from '../parts/forms/code-field.tsx'
import { askPasskey, hasPasskeys } from '../parts/forms/passkeys.ts'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { useSaving } from '../parts/forms/saving.ts'
import { Dialog } from '../parts/overlay/dialog.tsx'
import { Button } from '../parts/show/button.tsx'
import { t as codes } from '../parts/show/code-texts.ts'
import { failureAt } from '../parts/show/provider-failures.ts'
import { resource } from '../platform/cache.ts'
import { answer, api, type Schemas } from '../platform/client.ts'
import { ours } from '../platform/device.ts'
import { named } from '../platform/language.ts'
import type { Refusal } from '../platform/refusal.ts'
import { path } from '../platform/router.ts'
import { me } from '../platform/session.ts'
import { t } from './confirm-texts.ts'
import { CONFIRMED, Question } from './question.ts'

type Method = Schemas['OwnSecurity']['methods'][number]

const identities = resource('/auth/me/identities')

/** Opens the dialog. Resolves to whether the person has confirmed themselves. */
export function ask({ body }: Refusal): Promise<boolean> {
  const methods = (body['methods'] ?? []) as Method[]
  return new Promise((resolve) => {
    const settle = (isConfirmed: boolean) => {
      Question.value = undefined
      resolve(isConfirmed)
    }
    Question.value = () => <ConfirmDialog methods={methods} settle={settle} />
  })
}

const prove = (body: Schemas['Confirmation']) => answer(api.POST('/auth/me/confirm', { body }))

interface ConfirmProps {
  methods: readonly Method[]
  settle: (isConfirmed: boolean) => void
}

function ConfirmDialog({ methods, settle }: ConfirmProps) {
  const has = (method: Method) => methods.includes(method)
  const ways = [
    has('passkey') && hasPasskeys() && <ByPasskey key="passkey" done={() => settle(true)} />,
    (has('totp') || has('passkey')) && <ByCode key="code" isRecovery={!has('totp')} isMain={!has('passkey')} done={() => settle(true)} />,
    has('password') && <ByPassword key="password" isAlone={!has('totp') && !has('passkey')} done={() => settle(true)} />,
    has('provider') && <ByProvider key="provider" done={() => settle(true)} />,
  ].filter((way) => way !== false)
  return (
    <Dialog title={t.title} close={() => settle(false)} isUnsaved={() => false} class="confirm">
      <p class="quiet">{ways.length > 0 ? t.hint : t.noWay}</p>
      {ways.map((way, index) => (
        <div key={index} class="confirm-way">
          {index > 0 && <p class="confirm-or quiet small">{t.or}</p>}
          {way}
        </div>
      ))}
    </Dialog>
  )
}

function ByPasskey({ done }: { done: () => void }) {
  const { isBusy, problem, run } = useSaving(async () => {
    await prove({ assertion: await askPasskey('confirm') })
    done()
  })
  return (
    <>
      <Button kind="main" icon="key-round" isBusy={isBusy} autoFocus onClick={() => run()}>
        {t.passkey}
      </Button>
      <p class="error" role="alert">
        {problem}
      </p>
    </>
  )
}

interface TypedProps {
  isRecovery?: boolean
  isMain?: boolean
  done: () => void
}

function ByCode({ isRecovery = false, isMain = true, done }: TypedProps) {
  const typed = useSignal('')
  const isOpen = useSignal(!isRecovery)
  const { isBusy, problem, run, isFilled } = useSaving(async () => {
    const code = readCode(typed.value)
    await checkCode(prove(code), code)
    done()
  })
  if (!isOpen.value)
    return (
      <button
        type="button"
        class="link"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {codes.useRecovery}
      </button>
    )
  return (
    <form
      class="confirm-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isFilled(event.currentTarget)) run()
      }}
    >
      <CodeField
        name="code"
        isRecovery={isRecovery}
        value={typed.value}
        error={problem || undefined}
        change={(value) => {
          typed.value = value
        }}
      />
      <Button kind={isMain ? 'main' : undefined} type="submit" isBusy={isBusy}>
        {t.confirm}
      </Button>
    </form>
  )
}

function ByPassword({ isAlone, done }: { isAlone: boolean; done: () => void }) {
  const password = useSignal('')
  const { isBusy, error, problem, run, isFilled } = useSaving(
    async () => {
      await prove({ password: password.value })
      done()
    },
    { fields: ['password'], fieldOf: { invalid_password: 'password' } },
  )
  return (
    <form
      class="confirm-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isFilled(event.currentTarget)) run()
      }}
    >
      {/* Password managers need a username field. */}
      <input type="text" name="username" autocomplete="username" value={me.value?.username} hidden readOnly />
      <PasswordField
        label={t.password}
        name="password"
        autocomplete="current-password"
        autoFocus={isAlone}
        error={error('password')}
        value={password.value}
        change={(value) => {
          password.value = value
        }}
      />
      <p class="error" role="alert">
        {problem}
      </p>
      <Button kind="main" type="submit" isBusy={isBusy}>
        {t.confirm}
      </Button>
    </form>
  )
}

function ByProvider({ done }: { done: () => void }) {
  const failure = useSignal('')
  const { isBusy, problem, run } = useSaving(async (slug: string) => {
    failure.value = ''
    // Opens the window during the press, because browsers block windows that open later.
    const opened = window.open('', '_blank', 'popup,width=480,height=680')
    try {
      const returnTo = opened ? '/account/security?confirmed=yes' : path.peek() + location.search
      const { url } = await answer(api.POST('/auth/me/confirm/{slug}', { params: { path: { slug } }, body: { returnTo } }))
      if (opened) opened.location.href = url
      else location.assign(url)
    } catch (thrown) {
      opened?.close()
      throw thrown
    }
  })
  useEffect(() => {
    const windows = new BroadcastChannel(ours(CONFIRMED))
    windows.onmessage = ({ data }: MessageEvent<{ failed: string }>) => {
      if (data.failed) failure.value = data.failed
      else done()
    }
    return () => windows.close()
  }, [])
  return (
    <>
      {identities.data?.map(({ id, provider }) => (
        <Button key={id} icon="external-link" isBusy={isBusy} onClick={() => run(provider.slug)}>
          {t.provider(named(provider))}
        </Button>
      ))}
      <p class="error" role="alert">
        {failure.value ? failureAt(failure.value) : problem}
      </p>
    </>
  )
}
