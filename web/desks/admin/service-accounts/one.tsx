import './style.css'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { ConfirmedButton } from '../../../parts/overlay/confirmed-button.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Section } from '../../../parts/show/section.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { titleOf as titleOfGroup } from '../../../parts/show/title.ts'
import { mayGiveProgram } from '../../../parts/show/tokens/scopes.ts'
import { TokensSection } from '../../../parts/show/tokens/section.tsx'
import { isolated } from '../../../platform/language.ts'
import { at, onward } from '../../../platform/router.ts'
import { useDeletion } from '../shared/deleting.ts'
import { lastEditor, roles } from '../shared/directory.ts'
import { Head } from '../shared/head.tsx'
import { RecordPage } from '../shared/record-page.tsx'
import {
  type Account,
  accountOf,
  groupsOf,
  makeToken,
  removeAccount,
  revokeToken,
  saveAccount,
  setActive,
  titleOf,
  tokensOf,
  type Values,
  valuesOf,
} from './data.ts'
import { AccountFields } from './fields.tsx'
import { t } from './texts.ts'

const MOST_DAYS = 1095

/** A service account: its names, roles and contact, and its tokens. */
export function OneAccount({ id }: { id: number }) {
  const account = accountOf(id)
  return (
    <RecordPage
      of={account}
      target="user"
      id={id}
      title={titleOf}
      noun={t.title}
      list={{ path: '/admin/service-accounts', title: t.title }}
      gone={t.gone}
    >
      {(data, version) => <Loaded of={roles}>{() => <One account={data} version={version} />}</Loaded>}
    </RecordPage>
  )
}

function One({ account, version }: { account: Account; version: string | undefined }) {
  const { id, username, isActive } = account
  const title = titleOf(account)
  return (
    <div class="programs-one">
      <Head title={title} of={{ name: `@${username}`, descriptionAr: account.nameAr, descriptionEn: account.nameEn }}>
        {!isActive && (
          <p>
            <span class="chip">{t.off}</span>
          </p>
        )}
      </Head>
      <Tokens id={id} />
      <Section name="details" title={t.details}>
        <Editor key={id} account={account} version={version} />
      </Section>
      <Groups id={id} />
      <Acts account={account} />
    </div>
  )
}

const Tokens = ({ id }: { id: number }) => (
  <TokensSection
    of={tokensOf(id)}
    title={t.tokens}
    hint={t.tokensHint}
    none={t.noTokens}
    add={t.addToken}
    fresh={t.newToken}
    mayGive={mayGiveProgram}
    mostDays={MOST_DAYS}
    make={(token) => makeToken(id, token)}
    revoke={(token) => revokeToken(id, token.id)}
  />
)

function Editor({ account, version }: { account: Account; version: string | undefined }) {
  const { id } = account
  const form = useForm<Values>({
    from: valuesOf(account),
    version,
    draft: `service-account:${id}`,
    fieldOf: { grants_admin: 'roleIds' },
    save: (changed, known) => saveAccount(id, changed, known),
    reread: rereading(accountOf(id), valuesOf),
    by: () => lastEditor('user', id),
    saidOf: () => t.saved,
    canUndo: true,
  })
  return (
    <Form of={form}>
      <AccountFields form={form} />
      <ChangedMeanwhile of={form} labels={{ nameAr: t.nameAr, nameEn: t.nameEn, roleIds: t.roles, contactIds: t.contact }} />
      {form.isChanged && <Save of={form} />}
    </Form>
  )
}

function Groups({ id }: { id: number }) {
  const groups = groupsOf(id)
  if (groups.length === 0) return null
  return (
    <Section name="groups" title={t.groups}>
      <ul class="programs-groups">
        {groups.map((group) => (
          <li key={group.id}>
            <a class="link" href={at(`/admin/groups/${group.id}`)}>
              <bdi>{titleOfGroup(group)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The buttons that deactivate, activate and delete an account. */
function Acts({ account }: { account: Account }) {
  const { id, isActive } = account
  const name = isolated(titleOf(account))
  const { counts, remove } = useDeletion(accountOf(id), { orderCount: 0 }, (force, version) => removeAccount(id, force, version))
  return (
    <div class="programs-acts">
      {isActive ? (
        <ConfirmedButton
          act={t.disable}
          hint={t.disableHint}
          keep={t.keep}
          run={async () => {
            await setActive(id, false)
            say({ text: t.disabled(name) })
          }}
        />
      ) : (
        <Button
          onClick={async () => {
            if (await attempt(setActive(id, true))) say({ text: t.enabled(name) })
          }}
        >
          {t.enable}
        </Button>
      )}
      <ConfirmedButton
        act={counts ? t.removeAll : t.remove}
        hint={counts ? `${t.withOrders(counts.orderCount)} ${t.removeHint}` : t.removeHint}
        keep={t.keep}
        run={async () => {
          const goOn = onward()
          if (!(await remove())) return 'again'
          say({ text: t.removed(name) })
          goOn('/admin/service-accounts', { replace: true })
        }}
      />
    </div>
  )
}
