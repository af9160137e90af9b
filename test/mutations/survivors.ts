/** Mutants that no test needs to notice, each with the reason. A run fails if one of them is killed or no longer exists. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they quote the code
import type { Survivor } from './report.ts'

const MEMORY = 'frees memory: nothing else shows it'

export const survivors: Survivor[] = [
  {
    file: 'server/platform/concurrency.ts',
    from: 'if (last.get(key) === ended) last.delete(key)',
    to: 'if (false) last.delete(key)',
    because: MEMORY,
  },
  {
    file: 'server/platform/concurrency.ts',
    from: 'if (last.get(key) === ended) last.delete(key)',
    to: 'if (last.get(key) === ended) ;',
    because: MEMORY,
  },
  {
    file: 'server/accounts/rules.ts',
    from: "export const mailQueue = (identifier: string) => `reset links ${hash('sha256', identifier.toLowerCase(), 'buffer')[0]! % QUEUES}`",
    to: "export const mailQueue = (identifier: string) => `reset links ${hash('sha256', identifier.toLowerCase(), 'buffer')[1]! % QUEUES}`",
    because: 'any byte of the hash spreads names as evenly',
  },
  {
    file: 'server/platform/http/page.ts',
    from: 'return /^\\d{4}-\\d{2}-\\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && day.getUTCFullYear() > 0',
    to: 'return /^\\d{4}-\\d{2}-\\d{2}/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && day.getUTCFullYear() > 0',
    because: 'a text that goes on is no moment once a time is added to it',
  },
  {
    file: 'server/platform/http/page.ts',
    from: "if (from !== undefined && to !== undefined && from > to) refuseField('from', 'order')",
    to: "if (to !== undefined && from > to) refuseField('from', 'order')",
    because: 'nothing is after a date that is missing',
  },
  {
    file: 'server/platform/http/validate.ts',
    from: 'all ??= every.compile(schema)',
    to: 'all = every.compile(schema)',
    because: 'spares compiling: nothing else shows it',
  },
  {
    file: 'server/platform/http/validate.ts',
    from: "if (typeof text !== 'string') continue",
    to: 'if (false) continue',
    because: 'a list of two or more never looks like a number or a boolean',
  },
  {
    file: 'server/platform/auth/last-admin.ts',
    from: 'const left = await activeAdministrators(tx).limit(1).executeTakeFirst()',
    to: 'const left = await activeAdministrators(tx).limit(2).executeTakeFirst()',
    because: 'spares reading: the first row alone is looked at',
  },
  {
    file: 'server/platform/auth/last-admin.ts',
    from: 'const left = await activeAdministrators(tx).limit(1).executeTakeFirst()',
    to: 'const left = await activeAdministrators(tx).executeTakeFirst()',
    because: 'spares reading: the first row alone is looked at',
  },
  {
    file: 'server/platform/auth/tokens.ts',
    from: 'export const isToken = (token: string | undefined): token is string => token !== undefined && /^[\\w-]{43}$/.test(token)',
    to: 'export const isToken = (token: string | undefined): token is string => /^[\\w-]{43}$/.test(token)',
    because: 'what is missing reads as a word of nine letters, which is no token',
  },
  {
    file: 'server/platform/auth/sessions.ts',
    from: 'let shared = { epoch: 0, accesses: new Map<string, Access>() }',
    to: 'let shared = { epoch: 1, accesses: new Map<string, Access>() }',
    because: 'nothing is shared yet, whatever the epoch',
  },
  {
    file: 'server/platform/database/db.ts',
    from: "name = hash('sha256', text, 'base64url').slice(0, 32)",
    to: "name = hash('sha256', text, 'base64url')",
    because: 'PostgreSQL takes the longer name as well',
  },
  {
    file: 'server/platform/changes/outcome.ts',
    from: 'const outcome = <R>(reply: R, changes: Change[]): Outcome<R> => ({ [decided]: true, reply, changes })',
    to: 'const outcome = <R>(reply: R, changes: Change[]): Outcome<R> => ({ [decided]: false, reply, changes })',
    because: 'the mark is for the compiler, which refuses this',
  },
  {
    file: 'server/platform/changes/recipients.ts',
    from: 'if (some.length < 2) return some',
    to: 'if (false) return some',
    because: 'spares merging one event with none',
  },
]
