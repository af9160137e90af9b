/** Bearer tokens: of sessions, browsers, password resets, uploads and calendar feeds. */
import { hash, randomBytes } from 'node:crypto'

/** A new token of 256 random bits. Only its hash is stored. */
export const newToken = () => randomBytes(32).toString('base64url')

/** The form in which a token is stored. */
export const hashToken = (token: string) => hash('sha256', token, 'base64url')

export const isToken = (token: string | undefined): token is string => token !== undefined && /^[\w-]{43}$/.test(token)
