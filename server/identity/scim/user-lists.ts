/** Lists of a source's people. */
import { sql } from 'kysely'
import type { Config } from '../../platform/config.ts'
import type { Reads } from '../../platform/database/db.ts'
import { LongList } from '../../platform/http/wire.ts'
import { readFilter } from './filter.ts'
import type { CallingSource } from './queries.ts'
import { type Asked, listHead, personResource, selected } from './resource.ts'
import { filtering, soleEquals, whereOf } from './sql-filter.ts'
import { findAdoptable, findHeld, isOwn, type PersonRow, personColumns } from './user-queries.ts'

type Reply = Record<string, unknown>

/** The people of a source who meet a filter, sorted by id. Somebody whom it could adopt is found only by `userName eq`. */
export async function listPeople(db: Reads, config: Config, source: CallingSource, asked: Asked): Promise<LongList<Reply>> {
  const condition = asked.filter === undefined ? undefined : await readFilter(asked.filter)
  const where = condition ? whereOf('User', condition) : sql<boolean>`true`
  const from = sql`from users u join provisioned_users p on p.user_id = u.id where ${isOwn(source.id)} and ${where}`
  const read = async (reads: Reads) => {
    const { rows: counts } = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(reads)
    const { rows } =
      asked.count === 0
        ? { rows: [] }
        : await sql<PersonRow>`select ${personColumns} ${from} order by p.user_id limit ${asked.count} offset ${asked.offset}`.execute(
            reads,
          )
    return { total: counts[0]!.total, people: rows }
  }
  let { total, people } = condition ? await filtering(db, read) : await read(db)
  const userName = total === 0 ? soleEquals('User', condition, 'username') : undefined
  const adoptable = userName === undefined ? undefined : await findAdoptable(db, source, userName)
  if (adoptable) {
    total = 1
    people = asked.offset === 0 && asked.count > 0 ? [adoptable] : []
  }
  const held = await findHeld(
    db,
    source.id,
    people.map(({ id }) => id),
  )
  const head = listHead(total, asked.offset + 1, people.length)
  return new LongList<Reply>(
    (async function* () {
      yield `${JSON.stringify(head).slice(0, -1)},"Resources":[`
      let lead = ''
      for (const person of people) {
        yield lead + JSON.stringify(selected(personResource(config, person, held.get(person.id)), asked))
        lead = ','
      }
      yield ']}'
    })(),
  )
}
