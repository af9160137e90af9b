import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Combobox } from '../../../parts/forms/combobox.tsx'
import { Field, SelectField, TextField } from '../../../parts/forms/field.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { useForm } from '../../../parts/forms/form/use-form.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Once } from '../../../parts/overlay/once.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { CopyField } from '../../../parts/show/copy-field.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { TitledLine } from '../../../parts/show/lines.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import { exactly } from '../../../platform/dates.ts'
import { language, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { searchGroups } from '../shared/directory.ts'
import { firstFree, peopleChanged, usernameOf } from '../shared/invitations.ts'
import { t as acts } from '../shared/person-acts/texts.ts'
import { t } from './invite-texts.ts'

type Group = Pick<Schemas['Group'], 'id' | 'name' | 'descriptionAr' | 'descriptionEn' | 'appCount'>
export type Invited = Schemas['InvitedUser']

interface Values {
  displayNameAr: string
  displayNameEn: string
  email: string
  username: string
  preferredLanguage: 'ar' | 'en'
  groups: Group[]
}

/** The key of the group of all accounts. */
const EVERYONE = 'Everyone'
/** The number of usernames that are tried. */
const TRIED = 20
/**
 * Returns the holder of a username, if there is one, and a free username: the name itself or, if it is taken, the name with the first free
 * number appended.
 */
async function lookUp(username: string) {
  const texts = Array.from({ length: TRIED }, (_, n) => (n === 0 ? username : `${username}${n + 1}`))
  const found = (await answer(api.POST('/users/resolve', { body: { texts } }))).flatMap(({ matches }) => matches)
  const holder = found.find((person) => person.username.toLowerCase() === username.toLowerCase())
  const taken = found.map((person) => person.username)
  return { holder, free: firstFree(username, taken) }
}

interface InviteProps {
  /** The person who was just invited. The page holds them, because the form may be closed before the link arrives. */
  invited: Signal<Invited | undefined>
  /** Opens the form. */
  open: () => void
  close: () => void
}

/** Invites people one after the other. */
export function Invite({ invited, open, close }: InviteProps) {
  if (!invited.value) return <Asking close={close} done={(reply) => (invited.value = reply)} />
  return (
    <Handover
      invited={invited.value}
      close={() => {
        invited.value = undefined
        close()
      }}
      another={() => {
        invited.value = undefined
        open()
      }}
    />
  )
}

function Asking({ close, done }: { close: () => void; done: (invited: Invited) => void }) {
  const looked = useSignal<{ of: string; free: string; holder?: number | undefined } | undefined>(undefined)
  const asked = useRef('')
  const form = useForm<Values>({
    from: { displayNameAr: '', displayNameEn: '', email: '', username: '', preferredLanguage: language.value, groups: [] },
    draft: 'invitation',
    fieldOf: { username_taken: 'username', email_taken: 'email', unknown_ids: 'groups' },
    // No toast, because the dialog that follows says that the person was invited.
    saidOf: () => '',
    async save(_, __, { displayNameAr, displayNameEn, groups, email, ...rest }) {
      const body = {
        ...rest,
        email: email.trim(),
        username: rest.username.trim(),
        ...(displayNameAr.trim() && { displayNameAr }),
        ...(displayNameEn.trim() && { displayNameEn }),
        groupIds: groups.map(({ id }) => id),
        invite: true,
      }
      const reply = await answer(api.POST('/users', { body })).catch((failure) => {
        look(body.username)
        throw failure
      })
      peopleChanged()
      if ('user' in reply) done(reply)
    },
  })
  const { values, set } = form
  async function look(username: string, propose = false) {
    if (!username) return
    asked.current = username
    const { holder, free } = await lookUp(username).catch(() => ({ holder: undefined, free: username }))
    // Another name may have been looked up, or typed, since.
    if (asked.current !== username) return
    looked.value = { of: username, free, holder: holder?.id }
    if (propose && !form.now().username) set('username', free)
  }
  const known = looked.value
  const isTaken = known?.holder !== undefined && known.of === values.username.trim()
  return (
    <Dialog title={t.title} close={close} isUnsaved={() => false}>
      <Form of={form}>
        <div class="form-pair">
          <TextField label={t.nameAr} optional={t.optional} autoFocus maxLength={200} {...form.text('displayNameAr')} />
          <TextField label={t.nameEn} optional={t.optional} maxLength={200} {...form.text('displayNameEn')} />
        </div>
        <TextField
          label={t.email}
          type="email"
          dir="ltr"
          required
          autocomplete="off"
          {...form.text('email')}
          onBlur={() => !values.username && look(usernameOf(values.email), true)}
        />
        <TextField
          label={t.username}
          dir="ltr"
          required
          autocomplete="off"
          spellcheck={false}
          {...form.text('username')}
          onBlur={() => look(values.username.trim())}
          hint={
            isTaken ? (
              <span class="users-taken">
                {t.proposed(known.of, known.free)}
                <Button kind="plain" onClick={() => set('username', known.free)}>
                  {t.free(known.free)}
                </Button>
                <a href={at(`/admin/users/${known.holder}`)}>{t.holder}</a>
              </span>
            ) : known && known.of !== known.free && values.username === known.free ? (
              t.proposed(known.of, known.free)
            ) : (
              t.usernameHint
            )
          }
        />
        <SelectField
          label={t.language}
          value={values.preferredLanguage}
          choices={[
            { value: 'ar', text: t.languages.ar },
            { value: 'en', text: t.languages.en },
          ]}
          choose={(chosen) => set('preferredLanguage', chosen)}
        />
        <Groups groups={values.groups} error={form.error('groups')} choose={(groups) => set('groups', groups)} />
        <div class="dialog-end users-end">
          <Save of={form} text={t.send} />
        </div>
      </Form>
    </Dialog>
  )
}

interface GroupsProps {
  groups: readonly Group[]
  error: string | undefined
  choose: (groups: Group[]) => void
}

function Groups({ groups, error, choose }: GroupsProps) {
  return (
    <Field label={t.groups} hint={t.groupsHint} error={error}>
      {() => (
        <>
          <Combobox
            isField
            eager
            label={t.groups}
            placeholder={t.addGroup}
            find={async (typed) =>
              (await searchGroups(typed)).filter(({ id, name }) => name !== EVERYONE && groups.every((group) => group.id !== id))
            }
            id={({ id }) => id}
            choose={({ id, name, descriptionAr, descriptionEn, appCount }) =>
              choose([...groups, { id, name, descriptionAr, descriptionEn, appCount }])
            }
          >
            {(group) => (
              <>
                <span class="grow">
                  <TitledLine of={group} />
                </span>
                <span class="quiet small">{t.apps(group.appCount)}</span>
              </>
            )}
          </Combobox>
          {groups.length > 0 && (
            <ul class="users-chosen">
              {groups.map((group) => (
                <li key={group.id} class="chip" data-kind="on">
                  <bdi>{titleOf(group)}</bdi>
                  <span class="quiet">{t.apps(group.appCount)}</span>
                  <button
                    type="button"
                    aria-label={t.without(titleOf(group))}
                    onClick={() => choose(groups.filter((one) => one !== group))}
                  >
                    <Icon name="x" size={14} />
                  </button>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Field>
  )
}

interface HandoverProps {
  invited: Invited
  close: () => void
  another: () => void
}

/** The link to hand over, a note that the link was mailed, or a note that the connection broke before the link arrived. */
function Handover({ invited: { user, resetUrl, expiresAt, mailed }, close, another }: HandoverProps) {
  return (
    <Once
      title={t.invited(nameOf(user))}
      close={close}
      isKept={!resetUrl}
      end={
        <>
          <a class="button" data-kind="plain" href={at(`/admin/users/${user.id}`)}>
            {t.openPerson}
          </a>
          <Button onClick={another}>{t.another}</Button>
          <Button onClick={close}>{t.done}</Button>
        </>
      }
    >
      {resetUrl ? (
        <>
          <p>{t.handOver}</p>
          <CopyField label={t.link} value={resetUrl} hint={t.until(exactly(expiresAt))} copy={acts.link.copy} copied={acts.link.copied} />
        </>
      ) : mailed ? (
        <>
          <p>{t.mailed(user.email)}</p>
          <p class="quiet">{t.mailedHint}</p>
        </>
      ) : (
        <p>{t.lost}</p>
      )}
    </Once>
  )
}
