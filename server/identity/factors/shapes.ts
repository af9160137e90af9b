import { type Static, type TSchema, Type } from 'typebox'
import { Count, Id, Name, Named, Nullable, OneOf, Shape, ShownOnce, Timestamp } from '../../platform/http/shape.ts'
import { purposes } from './rules.ts'

/** Bytes in base64url without padding. */
const Bytes = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description && { description }), examples: ['3q2-7w'] })
const CredentialId = Bytes(1400)
const PublicKey = OneOf(['public-key'])

const PasskeyName = Name({ min: 1, max: 60 })
const passkeyFields = {
  id: Id,
  name: Type.String(),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
  isSynced: Type.Boolean({ description: 'Whether it is synchronised to other devices of the person.' }),
  transports: Type.Array(Type.String()),
}
const examplePasskey = { name: 'Laptop', isSynced: true, transports: ['internal'] }
export const Passkey = Named('Passkey', Shape(passkeyFields), examplePasskey)
export const PasskeyRename = Named('PasskeyRename', Shape({ name: PasskeyName }), { name: 'Laptop' })

const RecoveryCodes = ShownOnce(
  Type.Array(Type.String(), { description: 'Shown once; each works once.', examples: [['7Q4K-0ZBN-M2XR-9C5T']] }),
)
const FirstCodes = ShownOnce(
  Type.Array(Type.String(), {
    description: 'Recovery codes, shown once; null unless this is the person’s first factor.',
    examples: [['7Q4K-0ZBN-M2XR-9C5T']],
  }),
)
export const NewCodes = Named('NewRecoveryCodes', Shape({ recoveryCodes: RecoveryCodes }))
export const AddedPasskey = Named('AddedPasskey', Shape({ ...passkeyFields, recoveryCodes: FirstCodes }), examplePasskey)
export const AddedFactor = Named('AddedFactor', Shape({ recoveryCodes: FirstCodes }))

/** The answer of `navigator.credentials.get`, as its `toJSON` writes it. */
export const Assertion = Named(
  'PasskeyAssertion',
  Shape(
    {
      id: CredentialId,
      rawId: CredentialId,
      type: PublicKey,
      response: Shape({
        clientDataJSON: Bytes(4000),
        authenticatorData: Bytes(4000),
        signature: Bytes(4000),
        userHandle: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
      }),
    },
    { description: 'A `PublicKeyCredential` after `toJSON()`; its further fields are ignored.' },
  ),
)
export type Assertion = Static<typeof Assertion>

/** The answer of `navigator.credentials.create`, as its `toJSON` writes it. */
const Attestation = Named(
  'PasskeyAttestation',
  Shape(
    {
      id: CredentialId,
      rawId: CredentialId,
      type: PublicKey,
      response: Shape({
        clientDataJSON: Bytes(4000),
        attestationObject: Bytes(12_000),
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
      }),
    },
    { description: 'A `PublicKeyCredential` after `toJSON()`; its further fields are ignored.' },
  ),
)
export type Attestation = Static<typeof Attestation>
export const NewPasskey = Named('NewPasskey', Shape({ name: PasskeyName, attestation: Attestation }), { name: 'Laptop' })

const milliseconds = Type.Integer({ examples: [300_000] })
const Challenge = Bytes(43)
const Descriptor = Shape({ id: CredentialId, type: PublicKey, transports: Type.Array(Type.String()) })
export const RequestOptions = Named(
  'PasskeyRequestOptions',
  Shape({
    options: Shape(
      {
        challenge: Challenge,
        rpId: Type.String({ examples: ['portal.example.org'] }),
        timeout: milliseconds,
        userVerification: OneOf(['required']),
        allowCredentials: Type.Array(Descriptor, { description: 'Empty: the person chooses one of their passkeys.', examples: [[]] }),
      },
      { description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON`.' },
    ),
  }),
)
export const CreationOptions = Named(
  'PasskeyCreationOptions',
  Shape({
    options: Shape(
      {
        challenge: Challenge,
        rp: Shape({ id: Type.String({ examples: ['portal.example.org'] }), name: Type.String() }),
        user: Shape({
          id: Bytes(43, 'Random, and the same for all passkeys of the person.'),
          name: Type.String(),
          displayName: Type.String(),
        }),
        pubKeyCredParams: Type.Array(Shape({ type: PublicKey, alg: Type.Integer({ examples: [-7] }) })),
        timeout: milliseconds,
        excludeCredentials: Type.Array(Descriptor),
        authenticatorSelection: Shape({
          residentKey: OneOf(['required']),
          requireResidentKey: Type.Boolean(),
          userVerification: OneOf(['required']),
        }),
        attestation: OneOf(['none']),
      },
      { description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`.' },
    ),
  }),
)
export const ChallengeRequest = Named(
  'PasskeyChallengeRequest',
  Shape({ purpose: Type.Optional(OneOf(purposes, { description: '`sign_in` if it is omitted. The answer opens nothing else.' })) }),
  { purpose: 'sign_in' },
)
export const PasskeySignIn = Named('PasskeySignIn', Shape({ assertion: Assertion }))

export const TotpSecret = Named(
  'TotpSecret',
  Shape({
    secret: ShownOnce(Type.String({ description: 'Base 32.', examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] })),
    uri: ShownOnce(Type.String({ description: 'For a QR code.' })),
  }),
  {
    uri: 'otpauth://totp/Portal:sara.ahmed?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Portal&algorithm=SHA1&digits=6&period=30',
  },
)
const Code = Type.String({ minLength: 1, maxLength: 40, examples: ['492039'] })
export const TotpCode = Named('TotpCode', Shape({ code: Code }), { code: '492039' })

/** The fields that prove a factor; a call has exactly one of them. */
export const factorFields = {
  code: Type.Optional(Code),
  recoveryCode: Type.Optional(Type.String({ minLength: 1, maxLength: 60, examples: ['7Q4K-0ZBN-M2XR-9C5T'] })),
  assertion: Type.Optional(Assertion),
} satisfies Record<string, TSchema>
export const SecondFactor = Named(
  'SecondFactor',
  Shape(
    { ...factorFields, trustDevice: Type.Optional(Type.Boolean({ description: 'Not to be asked in this browser for 30 days.' })) },
    { description: 'Exactly one of `code`, `recoveryCode` and `assertion`.' },
  ),
  { code: '492039' },
)
export type Factor = Pick<Static<typeof SecondFactor>, keyof typeof factorFields>

export const factorEvents = {
  /** The person’s factors, tokens or identities have changed. */
  security_changed: Shape({}),
}

/** When a role began to demand a second factor, and when its grace ends. */
export const Duty = Nullable(Shape({ since: Timestamp, until: Timestamp }))
export const UserFactors = Named(
  'UserFactors',
  Shape({
    hasPassword: Type.Boolean(),
    passkeyCount: Count,
    totpSince: Nullable(Timestamp),
    recoveryCodesLeft: Count,
    duty: Duty,
  }),
  { passkeyCount: 1, totpSince: null, recoveryCodesLeft: 10, duty: null },
)
