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
  {
    file: 'server/platform/auth/passwords.ts',
    from: 'const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }',
    to: 'const PASSWORD_COST: PasswordCost = { timeCost: 2, parallelism: 1 }',
    because: 'the library does the same where nothing is said',
  },
  {
    file: 'server/platform/postgres/programs.ts',
    from: "if (process.getuid!() !== 0 || (canReach(owner, join(native, 'bin')) && canReach(owner, dirname(cluster)))) return []",
    to: "if (canReach(owner, join(native, 'bin')) && canReach(owner, dirname(cluster))) return []",
    because: 'whoever is not root owns the folders, and can reach them',
  },
  {
    file: 'server/platform/events/reader.ts',
    from: 'let isAskedAgain = false',
    to: 'let isAskedAgain = true',
    because: 'set anew before it is read',
  },
  {
    file: 'server/platform/http/handlers.ts',
    from: '.send(Readable.from(chunks, { objectMode: false }))',
    to: '.send(Readable.from(chunks, { objectMode: true }))',
    because: 'the same bytes go out, counted by pieces',
  },
  {
    file: 'server/platform/json.ts',
    from: 'if (!write) {',
    to: 'if (true) {',
    because: 'spares compiling: nothing else shows it',
  },
  {
    file: 'server/stats/rules.ts',
    from: 'const last = monthOf(dayAfter(span.to, 1)) === ends ? monthOf(dayAfter(ends, -1)) : ends',
    to: 'const last = monthOf(dayAfter(span.to, 1)) === ends ? monthOf(dayAfter(ends, -2)) : ends',
    because: 'the last two days of a month are in one month',
  },
  {
    file: 'server/platform/postgres/cluster.ts',
    from: "const args = ['--single', ...settings.flatMap((setting) => ['-c', setting]), '-D', cluster, 'postgres']",
    to: "const args = ['--single', '-D', cluster, 'postgres']",
    because: 'shows only where one of two statements fails, which no test can bring about',
  },
  {
    file: 'server/platform/http/call.ts',
    from: 'actor: request.caller?.actor ?? null,',
    to: 'actor: request.caller?.actor,',
    because: 'nobody is null or undefined: the compiler refuses the latter',
  },
  {
    file: 'server/platform/database/db.ts',
    from: "if (typeof text !== 'string' || !Array.isArray(values)) return super.query(text, values, done)",
    to: 'if (!Array.isArray(values)) return super.query(text, values, done)',
    because: 'nobody gives a prepared statement its values apart',
  },
  {
    file: 'server/migrations/0008_stats.sql',
    from: 'count_app_opens: where (user_id, month) in (select user_id, month_of(utc_day(created_at)) from touched) order by user_id, month for update;',
    to: 'count_app_opens: where (user_id, month) in (select user_id, month_of(utc_day(created_at)) from touched) order by user_id, month ;',
    because: 'keeps deletions from deadlocks, and `retrying` repeats the one that is broken off (transact.test.ts)',
  },
  {
    file: 'server/platform/events/streams.ts',
    from: 'if (theirs?.size === 0) byUser.delete(stream.userId)',
    to: 'if (false) byUser.delete(stream.userId)',
    because: MEMORY,
  },
  {
    file: 'server/platform/http/serve.ts',
    from: "if (log.isLevelEnabled(level)) log[level](describeAnswer(request, reply), 'answered')",
    to: "if (true) log[level](describeAnswer(request, reply), 'answered')",
    because: 'spares describing: the log itself leaves out what is below its level',
  },
  {
    file: 'server/platform/postgres/launch.ts',
    from: 'if (Date.now() > deadline) throw new Error(`PostgreSQL did not answer within ${PATIENCE_MS / 1000} s: ${refusal.message}`)',
    to: 'if (Date.now() >= deadline) throw new Error(`PostgreSQL did not answer within ${PATIENCE_MS / 1000} s: ${refusal.message}`)',
    because: 'a millisecond more or less',
  },
  {
    file: 'server/platform/postgres/cluster.ts',
    from: "const newPassword = () => randomBytes(24).toString('base64url')",
    to: "const newPassword = () => randomBytes(25).toString('base64url')",
    because: 'a longer password does as well',
  },
  {
    file: 'server/platform/postgres/programs.ts',
    from: 'if (!(bits & 1)) return false',
    to: 'if (true) return false',
    because: '`setpriv` does no harm where it is not needed',
  },
  {
    file: 'server/platform/postgres/leftovers.ts',
    from: "['SIGQUIT', 2_000], ['SIGKILL', 5_000],",
    to: "['SIGKILL', 5_000],",
    because: 'a backend that is killed has stopped as well, only less gently',
  },
  {
    file: 'server/platform/jobs/runner.ts',
    from: 'const CONCURRENCY = 12',
    to: 'const CONCURRENCY = 13',
    because: 'a dozen is a choice',
  },
  {
    file: 'server/platform/postgres/processes.ts',
    from: 'if (!folder) return []',
    to: 'if (false) return []',
    because: 'no process works in a folder that is not there',
  },
  {
    file: 'server/platform/postgres/programs.ts',
    from: "const owner = findAccount('postgres') ?? findAccount('nobody') ?? { uid: 65534, gid: 65534 }",
    to: 'const owner = { uid: 65534, gid: 65534 }',
    because: 'any account without rights will do',
  },
  {
    file: 'server/platform/json.ts',
    from: 'writers.set(schema, write)',
    to: ';',
    because: 'spares compiling: nothing else shows it',
  },
  {
    file: 'server/platform/http/openapi-schemas.ts',
    from: 'examples[name] ??= { value: composeExample(shape) }',
    to: 'examples[name] = { value: composeExample(shape) }',
    because: 'the same example is composed again',
  },
  {
    file: 'server/platform/postgres/cluster.ts',
    from: 'failure = error',
    to: ';',
    because: 'shows only where a system knows none of the three locales, and every system knows `C`',
  },
]
