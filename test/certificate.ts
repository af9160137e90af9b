/** A self-signed certificate, valid for a day: X.509 (RFC 5280) in DER, which Node cannot create. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const der = (tag: number, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const text = (tag: number, value: string) => der(tag, Buffer.from(value))
const octets = (part: Buffer) => der(0x04, part)
/** An object identifier from its bytes. */
const named = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

const ECDSA_WITH_SHA256 = sequence(named('2a8648ce3d040302'))
const COMMON_NAME = named('550403')
const BASIC_CONSTRAINTS = named('551d13')
const ALTERNATIVE_NAME = named('551d11')
const TRUE = der(0x01, Buffer.from([0xff]))
const DNS_NAME = 0x82

/** UTCTime: YYMMDDhhmmssZ. */
const moment = (ms: number) => text(0x17, `${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`)

export function makeCertificate(host: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, text(0x0c, host))))
  const now = Date.now()
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    name,
    sequence(moment(now - 3_600_000), moment(now + 24 * 3_600_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE))),
        sequence(ALTERNATIVE_NAME, octets(sequence(text(DNS_NAME, host)))),
      ),
    ),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey))
  const certificate = sequence(signed, ECDSA_WITH_SHA256, signature)
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
