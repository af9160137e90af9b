/** Mails about tokens, where mail is set up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runJob } from '../../../test/jobs.ts'
import { openMailbox } from '../../../test/mailbox.ts'
import { type Client, testPortal, until } from '../../../test/portal.ts'
import { addProgram } from '../../../test/service-accounts.ts'

const mailbox = await openMailbox()
const portal = testPortal({ SMTP_URL: mailbox.url })
const english = { preferredLanguage: 'en' } as const

/** The recipients and subjects of the mails that `act` causes. */
async function mailsOf(act: () => Promise<unknown>) {
  mailbox.received.length = 0
  await act()
  const waiting = "select from graphile_worker.jobs where task_identifier = 'mail_notice'"
  await until('all mails are sent', async () => (await portal.sql(waiting)).length === 0)
  return mailbox.received.map(({ recipients, subject }) => `${recipients}: ${subject}`).toSorted()
}

/** Makes tokens at `path`; `made` is the latest one. */
function maker(client: Client, path: string, ownerId: number) {
  const made = { id: 0, token: '' }
  return {
    made,
    async make() {
      const { body } = await client.post(path, { name: 'Stock report', scopes: ['profile:read'] })
      Object.assign(made, { id: body.id, token: body.token })
    },
    /** Moves the token's end to `left` from now, and sends the reminders that are then due. */
    async remind(left: string) {
      const [end, before] = [`now() + interval '${left}'`, `now() - interval '60 days'`]
      await portal.meddle('user', ownerId, `update api_tokens set expires_at = ${end}, created_at = ${before} where id = ${made.id}`)
      await portal.sql(`update sessions set expires_at = ${end} from api_tokens t where session_id = sessions.id and t.id = ${made.id}`)
      await runJob(portal, 'remind')
    },
    find: () => portal.stranger().post('/tokens/revoke', { token: made.token }),
  }
}

test('the owner of a token gets a mail when it is made, soon ends, is found, or is ended by an administrator', async () => {
  const person = await portal.person('owner', english)
  const { made, make, remind, find } = maker(person, '/auth/me/tokens', person.id)
  const to = (subject: string) => [`owner@example.org: ${subject}`]
  assert.deepEqual(await mailsOf(make), to('A new API token'))
  const [mail] = mailbox.received
  assert.match(mail!.text!, /“Stock report”/)
  assert.ok(mail!.text!.includes('/account/security'))
  assert.ok(!mail!.raw.includes(made.token))
  for (const left of ['13 days 23 hours', '2 days 23 hours']) assert.deepEqual(await mailsOf(() => remind(left)), to('A token ends soon'))
  assert.deepEqual(await mailsOf(find), to('A token was found and ended'))
  await mailsOf(make)
  assert.deepEqual(await mailsOf(() => portal.admin.delete(`/admin/tokens/${made.id}`)), to('One of your tokens was ended'))
  await mailsOf(make)
  assert.deepEqual(await mailsOf(() => person.delete(`/auth/me/tokens/${made.id}`)), [])
})

test('a name in another language is isolated in a mail, so that it does not reorder the sentence around it', async () => {
  const person = await portal.person('linguist', english)
  await mailsOf(() => person.post('/auth/me/tokens', { name: 'تقرير 7', scopes: ['profile:read'] }))
  assert.match(mailbox.received[0]!.text!, /“\u2068تقرير 7\u2069”/)
})

test('mails about a service account’s token go to its contact and the administrators, once each', async () => {
  const contact = await portal.person('contact', english)
  const second = await portal.person('second', { ...english, roles: ['admin'] })
  await portal.admin.patch('/auth/me/language', { language: 'en' })
  const program = await addProgram(portal, 'robot', { contact: contact.id })
  const led = await addProgram(portal, 'led', { contact: second.id })
  const administrators = ['admin@localhost', 'second@example.org']
  for (const [{ id }, recipients] of [
    [program, [...administrators, 'contact@example.org']],
    [led, administrators],
  ] as const) {
    const { make, remind, find } = maker(portal.admin, `/service-accounts/${id}/tokens`, id)
    const to = (subject: string) => recipients.map((one) => `${one}: ${subject}`).toSorted()
    assert.deepEqual(await mailsOf(make), to('A new token of a service account'))
    assert.deepEqual(await mailsOf(() => remind('2 days')), to('A token of a service account ends soon'))
    assert.deepEqual(await mailsOf(find), to('A token of a service account was found and ended'))
  }
})
