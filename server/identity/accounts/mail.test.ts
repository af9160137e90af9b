import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { openMailbox } from '../../../test/mailbox.ts'
import { PASSWORD, testPortal, until } from '../../../test/portal.ts'
import { momentFor } from '../../platform/text.ts'
import { mailTexts, noticeMail, resetMail } from './mail.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const mailbox = await openMailbox()
const portal = testPortal({ SMTP_URL: mailbox.url, MAIL_FROM: 'بوابة <portal@example.org>' }, log)

const careful = testPortal({ SMTP_URL: mailbox.url.replace('?ignoreTLS=true', '') })

const post = (path: string, body: unknown) => portal.stranger().post(path, body)
const isGood = async (token: string) => (await post('/auth/reset-password/verify', { token })).body.valid as boolean
const tokenIn = (text: string | undefined) => /\/reset-password\?token=([\w-]{43})/.exec(text ?? '')![1]!

/** Requests a link and returns the mail with it. */
async function mailTo(identifier: string) {
  const before = mailbox.received.length
  assert.deepEqual((await post('/auth/forgot-password', { identifier })).body, { success: true })
  await until('the mail comes', () => mailbox.received.length > before)
  const mail = mailbox.received.at(-1)!
  await until('its link is good', () => isGood(tokenIn(mail.text)))
  return mail
}

const jobs = () =>
  portal.sql<{ attempts: number; error: string | null; line: string }>(
    'select attempts, last_error as error, j::text as line from graphile_worker._private_jobs j',
  )
const retryNow = () => portal.sql('update graphile_worker._private_jobs set run_at = now()')

test('Arabic readers get the mail in Arabic, right to left, with the link left to right', async () => {
  await portal.person('huda', { displayNameAr: 'هدى', displayNameEn: 'Huda' })
  const mail = await mailTo('HUDA')
  assert.deepEqual(mail.recipients, ['huda@example.org'])
  assert.deepEqual(mail.from, { address: 'portal@example.org', name: 'بوابة' })
  assert.deepEqual(mail.to, [{ address: 'huda@example.org', name: '' }])
  assert.equal(mail.subject, 'استعادة كلمة المرور في بوابة')
  assert.match(mail.raw, /^Subject: =\?UTF-8\?[BQ]\?/m)
  assert.match(mail.html!, /<html lang="ar" dir="rtl">/)
  assert.match(mail.html!, /<p>مرحبًا هدى،<\/p>/)
  assert.match(mail.html!, /<p dir="ltr"[^>]*><a href="http:\/\/localhost:3000\/reset-password\?token=/)
  assert.match(mail.text!, /^مرحبًا هدى،\n\n/)
  const [expiry] = await portal.sql<{ at: Date }>('select expires_at as at from password_resets')
  for (const part of [mail.text!, mail.html!]) assert.ok(part.includes(momentFor('ar', expiry!.at, 'UTC')))
})

test('English readers get the mail in English, with an Arabic name where the English one is missing', async () => {
  await portal.person('salem', { displayNameAr: 'سالم', preferredLanguage: 'en' })
  const mail = await mailTo('salem@example.org')
  assert.equal(mail.subject, 'Reset your Bawaba password')
  assert.match(mail.html!, /<html lang="en" dir="ltr">/)
  assert.match(mail.text!, /^Hello سالم,\n\n/)
  assert.equal(mail.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated')
})

test('the button of a mailed notice names the security page if it opens that page', () => {
  const button = (language: 'ar' | 'en', page: string) => {
    const mail = noticeMail(language, { name: 'Huda', title: 'Title', body: 'Body', url: `https://portal.example.org${page}` })
    return /color: #fff[^>]*>([^<]+)</.exec(mail.html)?.[1]
  }
  assert.deepEqual([button('en', '/account/security'), button('en', '/admin/webhooks')], ['Security and sign-in', 'Open in the portal'])
  assert.deepEqual([button('ar', '/account/security'), button('ar', '/admin/webhooks')], ['الأمان وتسجيل الدخول', 'افتح في البوابة'])
})

test('the mail gives the date in both calendars', () => {
  const moment = new Date('2025-03-01T09:05:00Z')
  assert.equal(momentFor('en', moment, 'UTC'), '1 March 2025 at 09:05 UTC (1 Ramadan 1446 AH)')
  assert.equal(momentFor('ar', moment, 'UTC'), '1 مارس 2025 في 9:05 ص بالتوقيت العالمي (1 رمضان 1446 هـ)')
})

test('the mail gives the time in the office’s time zone, where it may be another day', async () => {
  const moment = new Date('2025-02-28T22:05:00Z')
  assert.equal(momentFor('en', moment, 'Asia/Riyadh'), '1 March 2025 at 01:05 Arabian Standard Time (1 Ramadan 1446 AH)')
  assert.match(momentFor('ar', moment, 'Asia/Riyadh'), /^1 مارس 2025 في 1:05 ص \(.*العربي.*\) \(1 رمضان 1446 هـ\)$/)
  await portal.admin.patch('/settings', { timeZone: 'Asia/Riyadh' })
  await portal.person('riyadh', { preferredLanguage: 'en' })
  assert.match((await mailTo('riyadh')).text!, /Arabian Standard Time/)
  await portal.admin.patch('/settings', { timeZone: 'UTC' })
})

test('only the newest mailed link works, once, for 60 minutes', async () => {
  const huda = await portal.person('forgetful')
  const older = tokenIn((await mailTo('forgetful')).text)
  const newer = tokenIn((await mailTo('forgetful@example.org')).text)
  assert.deepEqual([await isGood(older), await isGood(newer)], [false, true])
  const [row] = await portal.sql<{ seconds: number }>(
    `select extract(epoch from expires_at - now())::int as seconds from password_resets where user_id = ${huda.id}`,
  )
  assert.ok(row!.seconds > 3500 && row!.seconds <= 3600)
  assert.equal((await post('/auth/reset-password', { token: newer, newPassword: 'another one' })).status, 200)
  assert.equal((await post('/auth/reset-password', { token: newer, newPassword: 'a third one' })).status, 400)
  assert.equal((await post('/auth/login', { username: 'forgetful', password: 'another one' })).status, 200)
})

test('a mailed link does not work a minute after its hour', async () => {
  const huda = await portal.person('slow')
  const token = tokenIn((await mailTo('slow')).text)
  await portal.meddle(
    'user',
    huda.id,
    `update password_resets set expires_at = expires_at - interval '60 minutes' where user_id = ${huda.id}`,
  )
  assert.equal(await isGood(token), false)
})

test('a link in a mail to an address that changes during its delivery does not work', async () => {
  const huda = await portal.person('mover')
  const before = mailbox.received.length
  mailbox.hold(() => portal.admin.patch(`/users/${huda.id}`, { email: 'elsewhere@example.org' }))
  await post('/auth/forgot-password', { identifier: 'mover' })
  await until('the mail has come, and the job is done', async () => mailbox.received.length > before && (await jobs()).length === 0)
  const mail = mailbox.received.at(-1)!
  assert.deepEqual([mail.recipients, await isGood(tokenIn(mail.text))], [['mover@example.org'], false])
})

test('nobody is notified in the portal when mail is sent', async () => {
  await portal.person('unmailed')
  const traces = await portal.traces(() => mailTo('unmailed'))
  assert.deepEqual(traces, { audit: [], histories: [], notices: [], events: [] })
})

test('of simultaneous requests for a link, only the link in the last mail works', async () => {
  await portal.person('hasty')
  const before = mailbox.received.length
  await Promise.all([1, 2, 3].map(() => post('/auth/forgot-password', { identifier: 'hasty' })))
  await until('all mails have come', async () => mailbox.received.length === before + 3 && (await jobs()).length === 0)
  const tokens = mailbox.received.slice(before).map(({ text }) => tokenIn(text))
  assert.deepEqual(await Promise.all(tokens.map(isGood)), [false, false, true])
})

test('a refused mail is retried without voiding a link that an administrator issues before the retry', async () => {
  const huda = await portal.person('patient')
  mailbox.refuse(2)
  await post('/auth/forgot-password', { identifier: 'patient' })
  await until('it is refused', async () => (await jobs()).some(({ error }) => error))
  const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${huda.id}/issue-reset-link`)).body
  await retryNow()
  await until(
    'it is refused again',
    async () => mailbox.refused.length === 2 && (await jobs()).some(({ attempts, error }) => attempts === 2 && error),
  )
  assert.deepEqual(
    [await isGood(tokenIn(resetUrl)), await isGood(tokenIn(mailbox.refused[1]!.replace(/=\r\n/g, '').replace(/=3D/g, '=')))],
    [true, false],
  )

  const [job] = await jobs()
  assert.match(job!.error!, /^the mail server did not take the message \(\w+, 451\)$/)
  const before = mailbox.received.length
  await retryNow()
  await until('it is taken', () => mailbox.received.length > before)
  await until('the job is done', async () => (await jobs()).length === 0)
  assert.deepEqual([await isGood(tokenIn(mailbox.received.at(-1)!.text)), await isGood(tokenIn(resetUrl))], [true, false])
})

test('a mail that cannot be sent is logged and retried, and the person who asked gets the usual answer', async () => {
  await portal.person('waiting')
  const before = lines.length
  mailbox.refuse(1)
  assert.equal((await post('/auth/forgot-password', { identifier: 'waiting' })).status, 200)
  await until('its refusal is logged', () => lines.slice(before).some((line) => line.includes('the mail server did not take the message')))
  await until('it waits', async () => (await jobs()).some(({ error }) => error))
  await retryNow()
  await until('it is sent', async () => (await jobs()).length === 0)
})

test('a reset link for an invited person is valid at least as long as the invitation', async () => {
  const invitation = { username: 'guest.asked', email: 'guest-asked@example.org', preferredLanguage: 'en', invite: true }
  const { body } = await portal.admin.post('/users', invitation)
  await until('the invitation is there', async () => (await jobs()).length === 0)
  const mail = await mailTo('guest.asked')
  assert.equal(mail.subject, 'Your account at Bawaba')
  const [row] = await portal.sql<{ at: Date }>(`select expires_at as at from password_resets where user_id = ${body.user.id}`)
  assert.equal(row!.at.toISOString(), body.expiresAt)
  assert.equal((await post('/auth/reset-password', { token: tokenIn(mail.text), newPassword: PASSWORD })).status, 200)
})

test('an invitation is mailed with the username, and its link lets the person choose a password', async () => {
  const before = mailbox.received.length
  const items = ['ar', 'en'].map((preferredLanguage) => ({
    username: `guest.${preferredLanguage}`,
    email: `guest-${preferredLanguage}@example.org`,
    displayNameEn: 'Guest',
    preferredLanguage,
    invite: true,
  }))
  const { status, body } = await portal.admin.post('/users', items[0])
  assert.deepEqual([status, body.resetUrl, body.mailed, body.user.invitation], [201, null, true, 'pending'])
  const { invitations } = (await portal.admin.post('/users/bulk', { items: items.slice(1) })).body
  assert.deepEqual([invitations[0].resetUrl, invitations[0].mailed], [null, true])
  await until('both mails come', async () => mailbox.received.length === before + 2 && (await jobs()).length === 0)
  const mailOf = (language: string) =>
    mailbox.received.slice(before).find(({ recipients }) => recipients[0] === `guest-${language}@example.org`)!
  assert.deepEqual(
    ['ar', 'en'].map((language) => mailOf(language).subject),
    ['حسابك في بوابة', 'Your account at Bawaba'],
  )
  for (const { text, html } of ['ar', 'en'].map(mailOf)) for (const part of [text!, html!]) assert.match(part, /guest\.(ar|en)/)
  const token = tokenIn(mailOf('ar').text)
  assert.ok(mailOf('ar').text!.includes(momentFor('ar', new Date(body.expiresAt), 'UTC')))
  assert.equal((await post('/auth/reset-password', { token, newPassword: PASSWORD })).status, 200)
  await portal.stranger().signIn('guest.ar')
  assert.equal((await portal.admin.get(`/users/${body.user.id}`)).body.invitation, 'accepted')
})

test('a person who is deactivated before the invitation is sent gets no mail', async () => {
  mailbox.refuse(1)
  const before = mailbox.received.length
  const { user } = (await portal.admin.post('/users', { username: 'unwanted', email: 'unwanted@example.org', invite: true })).body
  await until('it is refused', async () => (await jobs()).some(({ error }) => error))
  await portal.admin.patch(`/users/${user.id}`, { isActive: false })
  await retryNow()
  await until('the job is done', async () => (await jobs()).length === 0)
  assert.equal(mailbox.received.length, before)
  assert.equal((await portal.sql('select from password_resets where user_id = $1', [user.id])).length, 0)
})

test('no token reaches the log, the queue or a table', async () => {
  const tokens = [
    ...mailbox.received.map(({ text }) => tokenIn(text)),
    ...mailbox.refused.map((raw) => tokenIn(raw.replace(/=\r\n/g, '').replace(/=3D/g, '='))),
  ]
  assert.ok(tokens.length >= 9 && new Set(tokens).size === tokens.length)
  const tables = await portal.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
  )
  const stored = (await Promise.all(tables.map(({ name }) => portal.sql<{ line: string }>(`select t::text as line from ${name} t`)))).flat()
  const everything = [...lines, ...stored.map(({ line }) => line)].join('\n')
  assert.ok(lines.length > 20 && stored.length > 50)
  for (const secret of [...tokens, PASSWORD, 'another one']) assert.ok(!everything.includes(secret))
})

test('a person’s name cannot inject anything into the mail', () => {
  const { html, subject } = resetMail('en', {
    timeZone: 'UTC',
    name: '<img src=x>"&\'',
    username: 'x',
    site: '<b>{name}',
    url: 'https://p/?a=1&token="x"',
    expiresAt: new Date(),
  })
  assert.ok(!html.includes('<img') && !html.includes('<b>') && !html.includes('"x"'))
  assert.equal(subject, 'Reset your <b>{name} password')
})

test('the texts exist in both languages with the same placeholders', () => {
  const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()
  assert.deepEqual(Object.keys(mailTexts.ar), Object.keys(mailTexts.en))
  for (const [key, text] of Object.entries(mailTexts.ar)) {
    assert.deepEqual(places(text), places(mailTexts.en[key]!), key)
    assert.match(text, /[\u0600-\u06FF]/)
  }
})

test('mail is not sent without TLS unless SMTP_URL allows it', async () => {
  await careful.person('clear')
  await careful.stranger().post('/auth/forgot-password', { identifier: 'clear' })
  const failure = () =>
    careful.sql<{ error: string }>('select last_error as error from graphile_worker._private_jobs where last_error is not null')
  const [failed] = await until('it fails', async () => ((await failure()).length ? failure() : null))
  assert.match(failed!.error, /ETLS/)
  assert.ok(!mailbox.received.some(({ recipients }) => recipients.includes('clear@example.org')))
})
