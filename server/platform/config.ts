import { createECDH } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { type AuditStream, auditStreamVariables, misfitIn, streamOf } from './config-audit-stream.ts'
import { ConfigError, matching, oneOf, readUrl, secret, show, type Variable, variable, wholeNumber } from './config-variables.ts'
import { bareHost } from './outbound.ts'
import { readAccountName, readNamedAddress } from './text.ts'

export { ConfigError } from './config-variables.ts'

/** The configuration from the environment: checked, frozen, with every default filled in. */
export interface Config {
  /** 0 takes any free port; `settlePort` then returns the configuration with its number. */
  port: number
  host: string
  /** Without a trailing slash; with a path if the portal is served below one. */
  publicUrl: string
  publicOrigin: string
  secureCookies: boolean
  /** Unset: the embedded PostgreSQL. */
  databaseUrl?: string
  /** Unset: the role of `databaseUrl` owns the schema and migrates it. */
  databaseOwnerUrl?: string
  /** Absolute. */
  dataDir: string
  /** 32 bytes in base64url. Unset: nothing can be encrypted, except with the embedded database, whose key `settleSecretsKey` adds. */
  secretsKey?: string
  /** The former key, while secrets are being encrypted again. */
  secretsKeyBefore?: string
  /** Without a password, one is generated and printed once. */
  admin: { username: string; email: string; password?: string }
  sessionTtlDays: number
  passwordMinLength: number
  /** `strict`: no common passwords, and none with the person’s names. */
  passwordPolicy: 'length' | 'strict'
  /** As Fastify's option of that name takes it: a number of hops, or addresses, ranges and their names. */
  trustProxy?: number | string[]
  rateLimits: boolean
  smtpUrl?: string
  mailFrom: string
  /** Unset: objects on the local disk. */
  s3?: { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }
  uploadMaxBytes: number
  vapid?: { publicKey: string; privateKey: string; subject: string }
  /** Hosts of push services that may have addresses that are not public; lower case, IPv6 addresses without brackets. */
  pushInternalHosts: string[]
  /** As `pushInternalHosts`, for sign-in providers and for webhooks. Addresses of these hosts may use http. */
  ssoInternalHosts: string[]
  webhookInternalHosts: string[]
  versionFeedUrl?: string
  /** Unset: nothing is sent. */
  auditStream?: AuditStream
  logLevel: string
  metricsPort?: number
  metricsHost: string
  workers: number
}

/** A URL with one host. To find the primary among several, the operator needs a proxy: see docs/operating.md. */
const readDatabaseUrl = (text: string) => (readUrl(text, 'postgres:', 'postgresql:')?.host.includes(',') === false ? text : undefined)

const readWebUrl = (text: string) => readUrl(text, 'http:', 'https:')

/** A URL to which paths can be appended: without query, fragment, credentials or a slash at the end. */
function readBaseUrl(text: string) {
  const url = readWebUrl(text)
  return url && !url.search && !url.hash && !url.username && !url.password ? url.href.replace(/\/+$/, '') : undefined
}

const readKey = (text: string, bytes: number) =>
  /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes ? text : undefined

export const isSecretsKey = (text: string) => readKey(text, 32) !== undefined
const secretsKey = secret('32 bytes in base64url', (text) => readKey(text, 32))

const proxyNames = ['loopback', 'linklocal', 'uniquelocal']
function readProxies(text: string): number | string[] | undefined {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  const proxies = text.split(',').map((part) => part.trim())
  return proxies.every((proxy) => proxyNames.includes(proxy) || isIP(proxy) || ipaddr.isValidCIDR(proxy)) ? proxies : undefined
}

/** Host names and addresses, in the form of a parsed URL. */
function readHosts(text: string): string[] | undefined {
  const hosts = text.split(',').map((part) => {
    const host = part.trim()
    return readUrl(`https://${isIP(host) === 6 ? `[${host}]` : host}/`, 'https:')
  })
  return hosts.every((url) => url && url.href === `https://${url.hostname}/` && !url.hostname.includes('*'))
    ? hosts.map((url) => bareHost(url!.hostname))
    : undefined
}

const hosts = variable('host names or addresses with commas between them', readHosts)

const readMailto = (text: string) => readAccountName(/^mailto:([^?]*)/i.exec(text)?.[1] ?? '', 'email')

const listeningHost = variable('an address or a host name to listen on', matching(/^[\w.:-]+$/))

const variables = {
  PORT: wholeNumber(0, 65535),
  HOST: listeningHost,
  PUBLIC_URL: variable('an http or https URL without account, query and fragment', readBaseUrl),
  DATABASE_URL: secret('a postgres or postgresql URL', readDatabaseUrl),
  DATABASE_OWNER_URL: secret('a postgres or postgresql URL', readDatabaseUrl),
  DATA_DIR: variable('a folder', (text) => resolve(text)),
  SECRETS_KEY: secretsKey,
  SECRETS_KEY_BEFORE: secretsKey,
  ADMIN_USERNAME: variable('1 to 64 visible letters, digits, dots, underscores or hyphens', (text) => readAccountName(text, 'username')),
  ADMIN_EMAIL: variable('an email address', (text) => readAccountName(text, 'email')),
  ADMIN_PASSWORD: secret('PASSWORD_MIN_LENGTH to 256 characters', (text) => text),
  SESSION_TTL_DAYS: wholeNumber(1, 30),
  PASSWORD_MIN_LENGTH: wholeNumber(1, 256),
  PASSWORD_POLICY: oneOf('length', 'strict'),
  TRUST_PROXY: variable(
    `a number of hops from 1 to 99, or addresses and ranges with commas between them (or ${proxyNames.join(', ')})`,
    readProxies,
  ),
  RATE_LIMITS: oneOf('on', 'off'),
  SMTP_URL: secret('an smtp or smtps URL', (text) => (readUrl(text, 'smtp:', 'smtps:')?.hostname ? text : undefined)),
  MAIL_FROM: variable('an email address, with or without a name before it', readNamedAddress),
  S3_ENDPOINT: variable('an http or https URL without account, query and fragment', readBaseUrl),
  S3_BUCKET: variable('the name of a bucket', matching(/^[\w.-]{3,63}$/)),
  S3_REGION: variable('the name of a region', matching(/^[\w-]+$/)),
  S3_ACCESS_KEY_ID: secret('the name of an access key', matching(/^\S+$/)),
  S3_SECRET_ACCESS_KEY: secret('a secret access key', matching(/^\S+$/)),
  UPLOAD_MAX_BYTES: wholeNumber(1, 5 * 1024 ** 3),
  VAPID_PUBLIC_KEY: variable('the 65 bytes of a public key in base64url', (text) => readKey(text, 65)),
  VAPID_PRIVATE_KEY: secret('the 32 bytes of a private key in base64url', (text) => readKey(text, 32)),
  VAPID_SUBJECT: variable('a mailto or https URL', (text) => (readUrl(text, 'https:') || readMailto(text)) && text),
  PUSH_INTERNAL_HOSTS: hosts,
  SSO_INTERNAL_HOSTS: hosts,
  WEBHOOK_INTERNAL_HOSTS: hosts,
  VERSION_FEED_URL: variable('an http or https URL', (text) => readWebUrl(text) && text),
  ...auditStreamVariables,
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  METRICS_PORT: wholeNumber(0, 65535),
  METRICS_HOST: listeningHost,
  WORKERS: wholeNumber(1, 64),
}

type Name = keyof typeof variables
/** An environment that unsets every variable, because an empty value counts as unset. */
export const unset = Object.fromEntries(Object.keys(variables).map((name) => [name, '']))

type Values = { [N in Name]?: Exclude<ReturnType<(typeof variables)[N]['read']>, undefined> }

const fail = (name: Name, got: string): never => {
  throw new ConfigError(`${name}: got ${got}, takes ${variables[name].takes}`)
}

/** The configuration that `env` describes; an empty variable counts as unset. Throws a ConfigError for the first invalid one. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = readVariables(env)
  const port = given.PORT ?? 3000
  const publicUrl = given.PUBLIC_URL ?? `http://localhost:${port}`
  const mailFrom = given.MAIL_FROM ?? `bawaba@${mailHost(publicUrl)}`
  const passwordPolicy = given.PASSWORD_POLICY ?? 'length'
  const passwordMinLength = Math.max(given.PASSWORD_MIN_LENGTH ?? 6, passwordPolicy === 'strict' ? 12 : 1)
  requireTogether(given, ['DATABASE_URL'], ['DATABASE_OWNER_URL'])
  if (given.DATABASE_URL) requireTogether(given, ['SECRETS_KEY'], ['SECRETS_KEY_BEFORE'])
  if (port && port === given.METRICS_PORT) fail('METRICS_PORT', `${port}, which is PORT`)
  return freeze({
    port,
    host: given.HOST ?? '127.0.0.1',
    ...describePublicUrl(publicUrl),
    databaseUrl: given.DATABASE_URL,
    databaseOwnerUrl: given.DATABASE_OWNER_URL,
    dataDir: given.DATA_DIR ?? resolve('data'),
    secretsKey: given.SECRETS_KEY,
    secretsKeyBefore: given.SECRETS_KEY_BEFORE,
    admin: chooseAdmin(given, passwordMinLength),
    sessionTtlDays: given.SESSION_TTL_DAYS ?? 7,
    passwordMinLength,
    passwordPolicy,
    trustProxy: given.TRUST_PROXY,
    rateLimits: given.RATE_LIMITS !== 'off',
    smtpUrl: given.SMTP_URL,
    mailFrom,
    s3: chooseS3(given),
    uploadMaxBytes: given.UPLOAD_MAX_BYTES ?? 25 * 1024 ** 2,
    vapid: chooseVapid(given, publicUrl, mailFrom),
    pushInternalHosts: given.PUSH_INTERNAL_HOSTS ?? [],
    ssoInternalHosts: given.SSO_INTERNAL_HOSTS ?? [],
    webhookInternalHosts: given.WEBHOOK_INTERNAL_HOSTS ?? [],
    versionFeedUrl: given.VERSION_FEED_URL,
    auditStream: chooseAuditStream(given),
    logLevel: given.LOG_LEVEL ?? 'info',
    metricsPort: given.METRICS_PORT,
    metricsHost: given.METRICS_HOST ?? '127.0.0.1',
    workers: given.WORKERS ?? 1,
  })
}

/** The configuration with the actual port; when PORT is 0 and PUBLIC_URL unset, links lead to `port`. */
export function settlePort(config: Config, port: number): Config {
  const publicUrl = config.publicUrl === 'http://localhost:0' ? `http://localhost:${port}` : config.publicUrl
  return freeze({ ...config, port, ...describePublicUrl(publicUrl) })
}

function readVariables(env: Record<string, string | undefined>): Values {
  const names = (Object.keys(variables) as Name[]).filter((name) => env[name])
  return Object.fromEntries(names.map((name) => [name, readVariable(name, env[name]!)]))
}

function readVariable(name: Name, text: string) {
  const { read, secret }: Variable<unknown> = variables[name]
  return read(text) ?? fail(name, secret ? 'a value that is not shown' : show(text))
}

function describePublicUrl(publicUrl: string) {
  const { origin, protocol } = new URL(publicUrl)
  return { publicUrl, publicOrigin: origin, secureCookies: protocol === 'https:' }
}

function mailHost(publicUrl: string) {
  const { hostname } = new URL(publicUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? 'localhost' : hostname
}

function chooseAdmin(given: Values, passwordMinLength: number) {
  const password = given.ADMIN_PASSWORD
  const length = [...(password ?? '')].length
  if (password !== undefined && (length < passwordMinLength || length > 256)) fail('ADMIN_PASSWORD', `${length} characters`)
  return { username: given.ADMIN_USERNAME ?? 'admin', email: given.ADMIN_EMAIL ?? 'admin@localhost', password }
}

/** Whether a group of variables is set. Fails for the first missing one of `names` if another one of the group is set. */
function requireTogether(given: Values, names: readonly Name[], optional: readonly Name[] = []) {
  const set = [...names, ...optional].find((name) => given[name] !== undefined)
  const lacking = names.find((name) => given[name] === undefined)
  if (set && lacking) fail(lacking, `nothing while ${set} is set`)
  return set !== undefined
}

function chooseS3(given: Values) {
  const names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  if (!requireTogether(given, names, ['S3_REGION'])) return undefined
  return {
    endpoint: given.S3_ENDPOINT!,
    bucket: given.S3_BUCKET!,
    region: given.S3_REGION ?? 'us-east-1',
    accessKeyId: given.S3_ACCESS_KEY_ID!,
    secretAccessKey: given.S3_SECRET_ACCESS_KEY!,
  }
}

function chooseVapid(given: Values, publicUrl: string, mailFrom: string) {
  if (!requireTogether(given, ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'], ['VAPID_SUBJECT'])) return undefined
  const publicKey = given.VAPID_PUBLIC_KEY!
  const privateKey = given.VAPID_PRIVATE_KEY!
  if (!isKeyPair(publicKey, privateKey)) fail('VAPID_PUBLIC_KEY', `${show(publicKey)}, not the pair of VAPID_PRIVATE_KEY`)
  const mailto = `mailto:${mailFrom.replace(/^.*<|>$/g, '')}`
  const website = !given.MAIL_FROM && publicUrl.startsWith('https:') ? publicUrl : undefined
  return { publicKey, privateKey, subject: given.VAPID_SUBJECT ?? website ?? mailto }
}

function chooseAuditStream(given: Values) {
  const { AUDIT_STREAM_URL: _, ...others } = auditStreamVariables
  requireTogether(given, ['AUDIT_STREAM_URL'], Object.keys(others) as Name[])
  requireTogether(given, ['AUDIT_STREAM_CERT', 'AUDIT_STREAM_KEY'])
  const misfit = misfitIn(given)
  if (misfit) fail(misfit.name, misfit.got)
  return given.AUDIT_STREAM_URL && streamOf(given, given.AUDIT_STREAM_URL)
}

function isKeyPair(publicKey: string, privateKey: string) {
  try {
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(privateKey, 'base64url')
    return curve.getPublicKey().equals(Buffer.from(publicKey, 'base64url'))
  } catch {
    return false
  }
}

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (inner && typeof inner === 'object') freeze(inner)
  return Object.freeze(value)
}
