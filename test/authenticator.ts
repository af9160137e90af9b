/** An authenticator in software that makes passkeys, signs with them, and sends false values where a test wants them. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const algorithms = { ES256: -7, EdDSA: -8, RS256: -257 } as const
export type Algorithm = keyof typeof algorithms

/** CBOR of the few types that attestations need. */
function cbor(value: unknown): Buffer {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 0xff])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)])
}

function keyPair(algorithm: Algorithm) {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return algorithm === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2048 })
}

/** The public key in the format of COSE. */
function coseOf(algorithm: Algorithm, key: KeyObject) {
  const jwk = key.export({ format: 'jwk' })
  const bytes = (part: string | undefined) => Buffer.from(part!, 'base64url')
  const alg = algorithms[algorithm]
  if (algorithm === 'ES256')
    return cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, alg],
        [-1, 1],
        [-2, bytes(jwk.x)],
        [-3, bytes(jwk.y)],
      ]),
    )
  if (algorithm === 'EdDSA')
    return cbor(
      new Map<number, unknown>([
        [1, 1],
        [3, alg],
        [-1, 6],
        [-2, bytes(jwk.x)],
      ]),
    )
  return cbor(
    new Map<number, unknown>([
      [1, 3],
      [3, alg],
      [-1, bytes(jwk.n)],
      [-2, bytes(jwk.e)],
    ]),
  )
}

export interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}
export interface RequestOptions {
  challenge: string
  rpId: string
}

/** False values that the authenticator or the browser sends. */
export interface Lie {
  type?: string
  origin?: string
  rpId?: string
  challenge?: string
  crossOrigin?: boolean
  /** The flags of the authenticator: 1 user present, 4 user verified, 8 may be synchronised, 16 is synchronised. */
  flags?: number
  counter?: number
  userHandle?: string | null
  /** Flips one bit of the signature. */
  turnsBit?: boolean
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const PRESENT_AND_VERIFIED = 0b101
const HAS_CREDENTIAL = 0b100_0000

/** An authenticator with one passkey for the portal at `origin`. */
export function newAuthenticator(origin: string, algorithm: Algorithm = 'ES256') {
  const { publicKey, privateKey } = keyPair(algorithm)
  const id = randomBytes(32)
  let handle: string | undefined
  let counter = 0

  const clientData = (type: string, challenge: string, lie: Lie) =>
    Buffer.from(
      JSON.stringify({
        type: lie.type ?? type,
        challenge: lie.challenge ?? challenge,
        origin: lie.origin ?? origin,
        crossOrigin: lie.crossOrigin ?? false,
      }),
    )
  function authenticatorData(rpId: string, lie: Lie, credential?: Buffer) {
    const flags = (lie.flags ?? PRESENT_AND_VERIFIED) | (credential ? HAS_CREDENTIAL : 0)
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags)
    tail.writeUInt32BE(lie.counter ?? counter, 1)
    return Buffer.concat([sha256(lie.rpId ?? rpId), tail, credential ?? Buffer.alloc(0)])
  }
  const rawId = id.toString('base64url')
  const credential = { id: rawId, rawId, type: 'public-key', clientExtensionResults: {} }

  return {
    id: rawId,
    /** The attestation for `POST /auth/me/passkeys`. */
    create({ challenge, rp, user }: CreationOptions, lie: Lie = {}) {
      handle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseOf(algorithm, publicKey)])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(rp.id, lie, attested)],
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, lie).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      }
      return { ...credential, response }
    },
    /** The assertion for any call that asks for a passkey. */
    get({ challenge, rpId }: RequestOptions, lie: Lie = {}) {
      counter++
      const told = clientData('webauthn.get', challenge, lie)
      const data = authenticatorData(rpId, lie)
      const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', Buffer.concat([data, sha256(told)]), privateKey)
      if (lie.turnsBit) signature[signature.length - 1]! ^= 1
      const response = {
        clientDataJSON: told.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: lie.userHandle === undefined ? handle! : lie.userHandle,
      }
      return { ...credential, response }
    },
  }
}
export type Authenticator = ReturnType<typeof newAuthenticator>
