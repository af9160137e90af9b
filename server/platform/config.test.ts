import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import webpush from 'web-push'
import { ConfigError, readConfig, settlePort } from './config.ts'

type Env = Record<string, string>

function makeKeys() {
  const { publicKey, privateKey } = webpush.generateVAPIDKeys()
  return { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }
}

const keys = makeKeys()
const s3 = { S3_ENDPOINT: 'https://s3.example.org/', S3_BUCKET: 'portal', S3_ACCESS_KEY_ID: 'AKIDEXAMPLE', S3_SECRET_ACCESS_KEY: 'hush' }

const [key, former] = ['k', 'f'].map((letter) => Buffer.alloc(32, letter).toString('base64url')) as [string, string]

const defaults = {
  port: 3000,
  host: '127.0.0.1',
  publicUrl: 'http://localhost:3000',
  publicOrigin: 'http://localhost:3000',
  secureCookies: false,
  databaseUrl: undefined,
  databaseOwnerUrl: undefined,
  dataDir: resolve('data'),
  secretsKey: undefined,
  secretsKeyBefore: undefined,
  admin: { username: 'admin', email: 'admin@localhost', password: undefined },
  sessionTtlDays: 7,
  passwordMinLength: 6,
  passwordPolicy: 'length',
  trustProxy: undefined,
  rateLimits: true,
  smtpUrl: undefined,
  mailFrom: 'bawaba@localhost',
  s3: undefined,
  uploadMaxBytes: 26214400,
  vapid: undefined,
  pushInternalHosts: [],
  ssoInternalHosts: [],
  webhookInternalHosts: [],
  versionFeedUrl: undefined,
  auditStream: undefined,
  logLevel: 'info',
  metricsPort: undefined,
  metricsHost: '127.0.0.1',
  workers: 1,
}

test('an empty environment gives every default', () => assert.deepEqual(readConfig({}), defaults))

test('an empty variable counts as unset', () =>
  assert.deepEqual(readConfig({ PORT: '', PUBLIC_URL: '', S3_BUCKET: '', ADMIN_PASSWORD: '', LOG_LEVEL: '' }), defaults))

const https = { AUDIT_STREAM_URL: 'https://collector.example.org/in' }
const syslog = { AUDIT_STREAM_URL: 'syslog+tls://collector.example.org' }
const noTls = { ca: undefined, cert: undefined, key: undefined }

const right: [given: Env, gives: object][] = [
  [{ PORT: '8080' }, { port: 8080, publicUrl: 'http://localhost:8080', publicOrigin: 'http://localhost:8080' }],
  [{ HOST: '::' }, { host: '::' }],
  [
    { PUBLIC_URL: 'https://Portal.Example.org/app/' },
    {
      publicUrl: 'https://portal.example.org/app',
      publicOrigin: 'https://portal.example.org',
      secureCookies: true,
      mailFrom: 'bawaba@portal.example.org',
    },
  ],
  [{ PUBLIC_URL: 'http://[::1]:80' }, { publicUrl: 'http://[::1]', publicOrigin: 'http://[::1]', mailFrom: 'bawaba@localhost' }],
  [{ DATABASE_URL: 'postgresql:///portal?host=/run/pg' }, { databaseUrl: 'postgresql:///portal?host=/run/pg' }],
  [
    { DATABASE_URL: 'postgres://portal@db/portal', DATABASE_OWNER_URL: 'postgres://owner@db/portal' },
    { databaseUrl: 'postgres://portal@db/portal', databaseOwnerUrl: 'postgres://owner@db/portal' },
  ],
  [{ DATA_DIR: 'elsewhere' }, { dataDir: resolve('elsewhere') }],
  [
    { SECRETS_KEY: key, SECRETS_KEY_BEFORE: former },
    { secretsKey: key, secretsKeyBefore: former },
  ],
  // No SECRETS_KEY is needed: the embedded database has its key in a file.
  [{ SECRETS_KEY_BEFORE: former }, { secretsKeyBefore: former }],
  [
    { ADMIN_USERNAME: 'مدير_1', ADMIN_EMAIL: 'a@b.org', ADMIN_PASSWORD: ' سر طويل ' },
    { admin: { username: 'مدير_1', email: 'a@b.org', password: ' سر طويل ' } },
  ],
  [
    { ADMIN_USERNAME: ' Andre\u0301 ', ADMIN_EMAIL: 'a@b\u202e ' },
    { admin: { username: 'Andr\u00e9', email: 'a@b', password: undefined } },
  ],
  [
    { PASSWORD_MIN_LENGTH: '1', ADMIN_PASSWORD: '🔑' },
    { passwordMinLength: 1, admin: { ...defaults.admin, password: '🔑' } },
  ],
  [{ TRUST_PROXY: '2' }, { trustProxy: 2 }],
  [{ TRUST_PROXY: 'loopback, 10.0.0.0/8,fd00::1' }, { trustProxy: ['loopback', '10.0.0.0/8', 'fd00::1'] }],
  [{ PASSWORD_POLICY: 'strict' }, { passwordPolicy: 'strict', passwordMinLength: 12 }],
  [
    { PASSWORD_POLICY: 'strict', PASSWORD_MIN_LENGTH: '16' },
    { passwordPolicy: 'strict', passwordMinLength: 16 },
  ],
  [{ RATE_LIMITS: 'off' }, { rateLimits: false }],
  [
    { SMTP_URL: 'smtps://u:p@mail.example.org', MAIL_FROM: 'البوابة <portal@example.org>' },
    { smtpUrl: 'smtps://u:p@mail.example.org', mailFrom: 'البوابة <portal@example.org>' },
  ],
  [
    s3,
    {
      s3: {
        endpoint: 'https://s3.example.org',
        bucket: 'portal',
        region: 'us-east-1',
        accessKeyId: 'AKIDEXAMPLE',
        secretAccessKey: 'hush',
      },
    },
  ],
  [
    { PUSH_INTERNAL_HOSTS: 'Push.Example.org., 10.0.0.7,fd00:0::7, 0x7f.1,[::1]' },
    { pushInternalHosts: ['push.example.org', '10.0.0.7', 'fd00::7', '127.0.0.1', '::1'] },
  ],
  [{ SSO_INTERNAL_HOSTS: 'Login.Intranet, 10.0.0.8' }, { ssoInternalHosts: ['login.intranet', '10.0.0.8'] }],
  [
    { ...https, AUDIT_STREAM_TOKEN: 'Splunk 1', AUDIT_STREAM_FORMAT: 'json' },
    {
      auditStream: {
        ...{ kind: 'https', url: https.AUDIT_STREAM_URL, host: 'collector.example.org', token: 'Splunk 1', tls: noTls },
        ...{ format: 'json', framing: 'octets', maxBytes: 8192 },
      },
    },
  ],
  [
    { AUDIT_STREAM_URL: 'syslog+tls://10.0.0.9:6515', AUDIT_STREAM_FRAMING: 'lf', AUDIT_STREAM_MAX_BYTES: '65536' },
    {
      auditStream: {
        ...{ kind: 'syslog', url: 'syslog+tls://10.0.0.9:6515', host: '10.0.0.9:6515', token: undefined, tls: noTls },
        ...{ format: 'ndjson', framing: 'lf', maxBytes: 65_536 },
      },
    },
  ],
  [{ WEBHOOK_INTERNAL_HOSTS: 'Stock.Intranet, 10.0.0.9' }, { webhookInternalHosts: ['stock.intranet', '10.0.0.9'] }],
  [
    { LOG_LEVEL: 'silent', METRICS_PORT: '9090', METRICS_HOST: '10.0.0.7', WORKERS: '64' },
    { logLevel: 'silent', metricsPort: 9090, metricsHost: '10.0.0.7', workers: 64 },
  ],
]

for (const [given, gives] of right)
  test(`${Object.keys(given)} can be set: ${Object.values(given)}`, () => assert.deepEqual(readConfig(given), { ...defaults, ...gives }))

const subjects: [given: Env, subject: string][] = [
  [{}, 'mailto:bawaba@localhost'],
  [{ PUBLIC_URL: 'https://portal.example.org' }, 'https://portal.example.org'],
  [{ PUBLIC_URL: 'https://portal.example.org', MAIL_FROM: 'Portal <p@example.org>' }, 'mailto:p@example.org'],
  [{ VAPID_SUBJECT: 'mailto:push@example.org' }, 'mailto:push@example.org'],
]

for (const [given, subject] of subjects)
  test(`the subject of pushes is ${subject} when given ${Object.keys(given)}`, () =>
    assert.deepEqual(readConfig({ ...keys, ...given }).vapid, {
      publicKey: keys.VAPID_PUBLIC_KEY,
      privateKey: keys.VAPID_PRIVATE_KEY,
      subject,
    }))

const wrong: [given: Env, name: string, got?: string][] = [
  ...['-1', '65536', '3000.5', ' 80', '1e3', 'http', '0x50'].map((value): [Env, string] => [{ PORT: value }, 'PORT']),
  [{ PORT: '80\n81' }, 'PORT', 'PORT: got "80\\n81", takes a whole number from 0 to 65535'],
  [{ HOST: 'a b' }, 'HOST'],
  ...['portal.example.org', 'ftp://x', 'https://x/?a', 'https://x/#a', '//x'].map((value): [Env, string] => [
    { PUBLIC_URL: value },
    'PUBLIC_URL',
  ]),
  [{ PUBLIC_URL: 'https://me:hush@x' }, 'PUBLIC_URL'],
  [{ DATABASE_URL: 'mysql://me:hush@db/x' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'me:hush' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://one,two/x' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://one:5432,two:5432/x' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://db/x', DATABASE_OWNER_URL: 'mysql://me:hush@db/x' }, 'DATABASE_OWNER_URL'],
  [
    { DATABASE_OWNER_URL: 'postgres://me:hush@db/x' },
    'DATABASE_URL',
    'DATABASE_URL: got nothing while DATABASE_OWNER_URL is set, takes a postgres or postgresql URL',
  ],
  ...['hush', key.slice(1), `${key}aa`, `${key.slice(1)}+`].map((value): [Env, string] => [{ SECRETS_KEY: value }, 'SECRETS_KEY']),
  [{ SECRETS_KEY: 'hush' }, 'SECRETS_KEY', 'SECRETS_KEY: got a value that is not shown, takes 32 bytes in base64url'],
  [{ SECRETS_KEY: key, SECRETS_KEY_BEFORE: 'hush' }, 'SECRETS_KEY_BEFORE'],
  [{ DATABASE_URL: 'postgres://db/x', SECRETS_KEY_BEFORE: former }, 'SECRETS_KEY'],
  [{ ADMIN_USERNAME: 'a b' }, 'ADMIN_USERNAME'],
  ...['x'.repeat(65), 'admin\u3164', 'ad\u200dmin', '\u0301admin', `a${'\u0301'.repeat(31)}`, ' '].map((value): [Env, string] => [
    { ADMIN_USERNAME: value },
    'ADMIN_USERNAME',
  ]),
  [
    { ADMIN_USERNAME: 'ad\u200dmin\u2028' },
    'ADMIN_USERNAME',
    'ADMIN_USERNAME: got "ad\\u{200d}min\\u{2028}", takes 1 to 64 visible letters, digits, dots, underscores or hyphens',
  ],
  ...['admin', 'a@b@c', 'a@b..c', 'a\u034f@c', 'a,b@c', 'a(b)@c', 'a\u200b@c', `a@${'b'.repeat(253)}`].map((value): [Env, string] => [
    { ADMIN_EMAIL: value },
    'ADMIN_EMAIL',
  ]),
  [{ ADMIN_PASSWORD: 'hush' }, 'ADMIN_PASSWORD', 'ADMIN_PASSWORD: got 4 characters, takes PASSWORD_MIN_LENGTH to 256 characters'],
  [{ ADMIN_PASSWORD: 'hush'.repeat(65) }, 'ADMIN_PASSWORD'],
  [{ SESSION_TTL_DAYS: '0' }, 'SESSION_TTL_DAYS'],
  [{ SESSION_TTL_DAYS: '31' }, 'SESSION_TTL_DAYS'],
  [{ PASSWORD_MIN_LENGTH: '257' }, 'PASSWORD_MIN_LENGTH'],
  ...['0', 'true', '10.0.0.0/33', 'proxy', '10.0.0.1,', '300.1.1.1'].map((value): [Env, string] => [{ TRUST_PROXY: value }, 'TRUST_PROXY']),
  [{ PASSWORD_POLICY: 'loose' }, 'PASSWORD_POLICY', 'PASSWORD_POLICY: got "loose", takes length or strict'],
  [{ RATE_LIMITS: 'no' }, 'RATE_LIMITS', 'RATE_LIMITS: got "no", takes on or off'],
  [{ SMTP_URL: 'https://me:hush@mail' }, 'SMTP_URL'],
  [{ SMTP_URL: 'smtp:' }, 'SMTP_URL'],
  [{ MAIL_FROM: 'portal' }, 'MAIL_FROM'],
  [{ MAIL_FROM: 'a\r\nBcc: <b@c>' }, 'MAIL_FROM'],
  ...['portal@example..org', 'Portal <portal@-.org>', 'Portal <por\u034ftal@example.org>'].map((value): [Env, string] => [
    { MAIL_FROM: value },
    'MAIL_FROM',
  ]),
  [{ ...s3, S3_ENDPOINT: '' }, 'S3_ENDPOINT'],
  [{ ...s3, S3_BUCKET: '' }, 'S3_BUCKET', 'S3_BUCKET: got nothing while S3_ENDPOINT is set, takes the name of a bucket'],
  [{ ...s3, S3_ACCESS_KEY_ID: '' }, 'S3_ACCESS_KEY_ID'],
  [{ ...s3, S3_SECRET_ACCESS_KEY: '' }, 'S3_SECRET_ACCESS_KEY'],
  [{ S3_REGION: 'eu-1' }, 'S3_ENDPOINT'],
  [{ ...s3, S3_SECRET_ACCESS_KEY: 'hush hush' }, 'S3_SECRET_ACCESS_KEY'],
  [{ UPLOAD_MAX_BYTES: '25MB' }, 'UPLOAD_MAX_BYTES'],
  [{ VAPID_PUBLIC_KEY: keys.VAPID_PUBLIC_KEY }, 'VAPID_PRIVATE_KEY'],
  [{ VAPID_PRIVATE_KEY: keys.VAPID_PRIVATE_KEY }, 'VAPID_PUBLIC_KEY'],
  [{ ...keys, VAPID_PRIVATE_KEY: 'hush' }, 'VAPID_PRIVATE_KEY'],
  [{ ...keys, VAPID_PUBLIC_KEY: makeKeys().VAPID_PUBLIC_KEY }, 'VAPID_PUBLIC_KEY'],
  [{ ...keys, VAPID_SUBJECT: 'push@example.org' }, 'VAPID_SUBJECT'],
  [{ ...keys, VAPID_SUBJECT: 'mailto:push@example..org' }, 'VAPID_SUBJECT'],
  ...['https://push.example.org', 'push.example.org:8443', 'a b', 'a,,b', 'me@push.example.org', '10.0.0.0/8', '*.example.org'].map(
    (value): [Env, string] => [{ PUSH_INTERNAL_HOSTS: value }, 'PUSH_INTERNAL_HOSTS'],
  ),
  [{ SSO_INTERNAL_HOSTS: 'https://login.intranet' }, 'SSO_INTERNAL_HOSTS'],
  [{ WEBHOOK_INTERNAL_HOSTS: 'stock.intranet:8080' }, 'WEBHOOK_INTERNAL_HOSTS'],
  [{ AUDIT_STREAM_URL: 'http://collector.example.org/' }, 'AUDIT_STREAM_URL'],
  [{ AUDIT_STREAM_URL: 'https://me:hush@collector.example.org/' }, 'AUDIT_STREAM_URL'],
  [{ AUDIT_STREAM_URL: 'syslog://collector.example.org' }, 'AUDIT_STREAM_URL'],
  [{ AUDIT_STREAM_URL: 'syslog+tls://collector.example.org/x' }, 'AUDIT_STREAM_URL'],
  [{ AUDIT_STREAM_TOKEN: 'Bearer hush' }, 'AUDIT_STREAM_URL'],
  [{ AUDIT_STREAM_FORMAT: 'json' }, 'AUDIT_STREAM_URL'],
  [{ ...https, AUDIT_STREAM_TOKEN: 'Bearer\nhush' }, 'AUDIT_STREAM_TOKEN'],
  [{ ...https, AUDIT_STREAM_FORMAT: 'xml' }, 'AUDIT_STREAM_FORMAT'],
  [{ ...https, AUDIT_STREAM_FRAMING: 'lf' }, 'AUDIT_STREAM_FRAMING'],
  [{ ...https, AUDIT_STREAM_MAX_BYTES: '8192' }, 'AUDIT_STREAM_MAX_BYTES'],
  [{ ...https, AUDIT_STREAM_CA: '/nowhere' }, 'AUDIT_STREAM_CA'],
  [{ ...https, AUDIT_STREAM_CA: 'package.json' }, 'AUDIT_STREAM_CA'],
  [{ ...https, AUDIT_STREAM_CERT: 'package.json' }, 'AUDIT_STREAM_CERT'],
  [{ ...https, AUDIT_STREAM_KEY: 'package.json' }, 'AUDIT_STREAM_KEY'],
  [{ ...syslog, AUDIT_STREAM_TOKEN: 'Bearer hush' }, 'AUDIT_STREAM_TOKEN'],
  [{ ...syslog, AUDIT_STREAM_FORMAT: 'json' }, 'AUDIT_STREAM_FORMAT'],
  [{ ...syslog, AUDIT_STREAM_FRAMING: 'crlf' }, 'AUDIT_STREAM_FRAMING'],
  [{ ...syslog, AUDIT_STREAM_MAX_BYTES: '2047' }, 'AUDIT_STREAM_MAX_BYTES'],
  [{ VERSION_FEED_URL: 'file:///etc/passwd' }, 'VERSION_FEED_URL'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL', 'LOG_LEVEL: got "loud", takes trace, debug, info, warn, error, fatal or silent'],
  [
    { LOG_LEVEL: 'l'.repeat(101) },
    'LOG_LEVEL',
    `LOG_LEVEL: got "${'l'.repeat(100)}", takes trace, debug, info, warn, error, fatal or silent`,
  ],
  [{ METRICS_HOST: 'a b' }, 'METRICS_HOST'],
  [{ METRICS_PORT: '3000' }, 'METRICS_PORT', 'METRICS_PORT: got 3000, which is PORT, takes a whole number from 0 to 65535'],
  [{ WORKERS: '0' }, 'WORKERS'],
  [{ WORKERS: '65' }, 'WORKERS'],
]

/** The variables for the title, without values that each run generates. */
const titleOf = (given: Env) => JSON.stringify(given, (_, value) => (String(value).length > 40 ? '…' : value)).slice(0, 80)

for (const [given, name, message] of wrong)
  test(`a wrong ${name} stops the start with one line: ${titleOf(given)}`, () =>
    assert.throws(
      () => readConfig(given),
      (error: Error) => {
        assert.ok(error instanceof ConfigError)
        assert.match(error.message, new RegExp(`^${name}: got .+, takes .+$`))
        for (const value of ['hush', keys.VAPID_PRIVATE_KEY]) assert.ok(!error.message.includes(value))
        if (message) assert.equal(error.message, message)
        return true
      },
    ))

test('the configuration cannot be changed', () => {
  const config = readConfig(s3)
  assert.throws(() => Object.assign(config, { port: 1 }))
  assert.throws(() => Object.assign(config.s3!, { bucket: 'other' }))
})

test('with port 0, links lead to the port that was chosen', () => {
  const config = settlePort(readConfig({ PORT: '0' }), 40123)
  assert.deepEqual([config.port, config.publicUrl, config.publicOrigin], [40123, 'http://localhost:40123', 'http://localhost:40123'])
})

test('a given PUBLIC_URL stays when port 0 chooses a port', () =>
  assert.equal(settlePort(readConfig({ PORT: '0', PUBLIC_URL: 'https://x.org' }), 40123).publicUrl, 'https://x.org'))
