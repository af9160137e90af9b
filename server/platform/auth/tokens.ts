/** Tokens that open something to whoever has them: a session, a new password, an upload. */
import { hash, randomBytes } from 'node:crypto'

/** 256 random bits; only their hash is ever kept. */
export const newToken = () => randomBytes(32).toString('base64url')

/** How a token rests in the database. */
export const hashToken = (token: string) => hash('sha256', token, 'base64url')

export const isToken = (token: string | undefined): token is string => token !== undefined && /^[\w-]{43}$/.test(token)
