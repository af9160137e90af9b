import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase } from '../../../test/portal.ts'
import { assertSuitable, excessiveRights } from './suitable.ts'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
before(async () => {
  clone = await cloneDatabase()
})
after(() => clone.drop())

/** A connection on which the objects that `statements` create shadow PostgreSQL's own. */
async function withNames<T>(statements: string, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client(clone.connection)
  await client.connect()
  try {
    await client.query(`begin; create schema own; set local search_path = own, pg_catalog; ${statements}`)
    return await work(client)
  } finally {
    await client.end()
  }
}

const older = `create function current_setting(name text) returns text language sql
  return case name when 'server_version' then '13.9' when 'server_version_num' then '130009' end`
const unsuitable: [what: string, statements: string, message: string][] = [
  ['too old', older, 'PostgreSQL 13.9 is too old: the portal needs 14 or newer'],
  [
    'without collations of ICU',
    'create view pg_collation as select null::name as collname where false',
    'this PostgreSQL knows no ICU collations, which the portal sorts by',
  ],
  [
    'without trigrams',
    'create view pg_available_extensions as select null::name as name where false',
    'this PostgreSQL lacks the extension pg_trgm, which the portal searches with',
  ],
]
for (const [what, statements, message] of unsuitable)
  test(`a PostgreSQL ${what} is refused with an error of one line`, () =>
    withNames(statements, (client) => assert.rejects(assertSuitable(client), { message })))

test('the database of the tests is suitable', () => withNames('', assertSuitable))

for (const [rights, kind] of [
  ['false as rolsuper, false as rolbypassrls', undefined],
  ['true as rolsuper, false as rolbypassrls', 'a superuser'],
  ['false as rolsuper, true as rolbypassrls', 'exempt from row security'],
] as const)
  test(`a role that is ${kind ?? 'ordinary'} ${kind ? 'causes a warning' : 'is fine'}`, () =>
    withNames(
      `create view pg_roles as select current_user::name as rolname, ${rights} union all select 'other', not rolsuper, not rolbypassrls
         from (select ${rights}) as own`,
      async (client) => {
        const warning = await excessiveRights(client)
        if (kind)
          assert.match(String(warning), new RegExp(`^the database role \\w+ is ${kind}: .*alter database ${clone.connection.database} `))
        else assert.equal(warning, undefined)
      },
    ))
