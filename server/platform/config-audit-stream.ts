/** The variables of the audit stream. Only the operator decides where it goes. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { matching, oneOf, readUrl, secret, variable, wholeNumber } from './config-variables.ts'

/** The collector of the audit stream, and how it is reached. */
export interface AuditStream {
  kind: 'https' | 'syslog'
  url: string
  /** The host, with its port if the address names one. */
  host: string
  /** The value of the header `Authorization`. */
  token?: string
  tls: {
    /** The trusted certificate authorities, in PEM like `cert` and `key`. Unset: those that Node trusts. */
    ca?: string
    cert?: string
    key?: string
  }
  /** The format of the body of a POST. */
  format: 'ndjson' | 'json'
  /** How syslog messages are delimited on their connection: by their length in octets, or by line feeds. */
  framing: 'octets' | 'lf'
  /** The maximum size of a syslog message, in bytes. */
  maxBytes: number
}

function readStreamUrl(text: string): { kind: AuditStream['kind']; url: URL } | undefined {
  const url = readUrl(text, 'https:', 'syslog+tls:')
  if (!url || url.username || url.password || url.hash) return undefined
  if (url.protocol === 'https:') return { kind: 'https', url }
  const isBare = /^\/?$/.test(url.pathname) && !url.search && /^([\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname)
  return isBare ? { kind: 'syslog', url } : undefined
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/** The text of a file; undefined if it cannot be read, or if `isFine` rejects it or throws. */
function readPem(file: string, isFine: (text: string) => boolean) {
  try {
    const text = readFileSync(file, 'utf8')
    return isFine(text) ? text : undefined
  } catch {
    return undefined
  }
}
const areCertificates = (text: string) => {
  const found = text.match(CERTIFICATE) ?? []
  return found.every((one) => new X509Certificate(one).serialNumber) && found.length > 0
}
const certificates = (what: string) => variable(`the path of a PEM file with ${what}`, (file) => readPem(file, areCertificates))

export const auditStreamVariables = {
  AUDIT_STREAM_URL: variable('an https URL, or syslog+tls://HOST:PORT, without account and fragment', readStreamUrl),
  AUDIT_STREAM_TOKEN: secret('the value of a header, such as Bearer … or Splunk …', matching(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/)),
  AUDIT_STREAM_CA: certificates('certificates of authorities'),
  AUDIT_STREAM_CERT: certificates('the portal’s certificate'),
  AUDIT_STREAM_KEY: variable('the path of a PEM file with a private key without a passphrase', (file) =>
    readPem(file, (text) => createPrivateKey(text).type === 'private'),
  ),
  AUDIT_STREAM_FORMAT: oneOf('ndjson', 'json'),
  AUDIT_STREAM_FRAMING: oneOf('octets', 'lf'),
  AUDIT_STREAM_MAX_BYTES: wholeNumber(2048, 1024 ** 2),
}

type Name = keyof typeof auditStreamVariables
type Given = { [N in Name]?: Exclude<ReturnType<(typeof auditStreamVariables)[N]['read']>, undefined> }

const ofKind: Record<AuditStream['kind'], readonly Name[]> = {
  https: ['AUDIT_STREAM_TOKEN', 'AUDIT_STREAM_FORMAT'],
  syslog: ['AUDIT_STREAM_FRAMING', 'AUDIT_STREAM_MAX_BYTES'],
}

/** The first variable that contradicts another one, and why. */
export function misfitIn(given: Given): { name: Name; got: string } | undefined {
  const { AUDIT_STREAM_URL: to, AUDIT_STREAM_CERT: cert, AUDIT_STREAM_KEY: key } = given
  if (!to) return undefined
  const other = to.kind === 'https' ? 'syslog' : 'https'
  const useless = ofKind[other].find((name) => given[name] !== undefined)
  if (useless) return { name: useless, got: `a value while AUDIT_STREAM_URL is ${to.url.protocol}//` }
  if (cert && key && !new X509Certificate(cert.match(CERTIFICATE)![0]).checkPrivateKey(createPrivateKey(key)))
    return { name: 'AUDIT_STREAM_KEY', got: 'a key that is not that of AUDIT_STREAM_CERT' }
  return undefined
}

export const streamOf = (given: Given, { kind, url }: NonNullable<Given['AUDIT_STREAM_URL']>): AuditStream => ({
  kind,
  url: url.href,
  host: url.host,
  token: given.AUDIT_STREAM_TOKEN,
  tls: { ca: given.AUDIT_STREAM_CA, cert: given.AUDIT_STREAM_CERT, key: given.AUDIT_STREAM_KEY },
  format: given.AUDIT_STREAM_FORMAT ?? 'ndjson',
  framing: given.AUDIT_STREAM_FRAMING ?? 'octets',
  maxBytes: given.AUDIT_STREAM_MAX_BYTES ?? 8192,
})
