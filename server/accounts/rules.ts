import { hash } from 'node:crypto'

/** Where a reset link leads: the portal's own page, at the address it is configured to have. */
export const resetUrl = ({ publicUrl }: { publicUrl: string }, token: string) => `${publicUrl}/reset-password?token=${token}`

/** Spread over a little more than an hour: a link that comes later than that is no longer waited for. */
export const MAIL_TRIES = 9

const QUEUES = 8

/** Links asked for with one name are mailed one after the other, so that the last mail to arrive holds the link that is good. */
export const mailQueue = (identifier: string) => `reset links ${hash('sha256', identifier.toLowerCase(), 'buffer')[0]! % QUEUES}`
