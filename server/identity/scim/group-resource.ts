/** Groups as SCIM shows them. */
import { sql } from 'kysely'
import type { Config } from '../../platform/config.ts'
import type { Reads } from '../../platform/database/db.ts'
import { LongList } from '../../platform/http/wire.ts'
import { cleanText } from '../../platform/text.ts'
import { readFilter } from './filter.ts'
import { findByName, type GroupRow, groupColumns, isOwnGroup, type Member, mayAdopt, membersOf } from './group-queries.ts'
import { baseUrlOf, type CallingSource } from './queries.ts'
import { type Asked, asksFor, leavesOut, listHead, metaOf, type Resource, type Selection, selected } from './resource.ts'
import { GROUP } from './schema.ts'
import { filtering, soleEquals, whereOf } from './sql-filter.ts'

/** The tag of a group counts its changes: a hash of the resource would need all members. */
export const versionOfGroup = ({ id, version, removedAt }: GroupRow) => `W/"${id}-${removedAt === null ? (version ?? 0) : 0}"`

function groupResource(config: Config, group: GroupRow): Resource {
  const { id, name, externalId, removedAt, createdAt: created, modifiedAt: modified } = group
  return {
    schemas: [GROUP],
    id: String(id),
    ...(externalId !== null && removedAt === null && { externalId }),
    displayName: name,
    meta: metaOf(config, 'Group', { id, created, modified, version: versionOfGroup(group) }),
  }
}

const memberResource = (config: Config, { id, display }: Member) => ({
  value: String(id),
  display,
  $ref: `${baseUrlOf(config)}/Users/${id}`,
  type: 'User',
})

interface Reader {
  db: Reads
  config: Config
  source: CallingSource
}

/** The JSON text of a group with its members, piece by piece. */
export async function* writtenGroup({ db, config, source }: Reader, group: GroupRow, asked: Selection): AsyncGenerator<string> {
  const text = JSON.stringify(selected(groupResource(config, group), asked))
  if (leavesOut(asked, 'members')) {
    yield text
    return
  }
  let lead = `${text.slice(0, -1)},"members":[`
  for await (const some of membersOf(db, source.id, group.id)) {
    const { members } = selected({ members: some.map((member) => memberResource(config, member)) }, asked)
    yield lead + JSON.stringify(members).slice(1, -1)
    lead = ','
  }
  yield lead === ',' ? ']}' : `${lead}]}`
}

const MOST_ANSWERED = 1000

/** A group with its members. If they are more than `MOST_ANSWERED`, they are left out unless the call asks for them. */
export async function wholeGroup({ db, config, source }: Reader, group: GroupRow, asked: Selection) {
  const resource = groupResource(config, group)
  const members: object[] = []
  const isWanted = asksFor(asked, 'members')
  for await (const some of membersOf(db, source.id, group.id)) {
    members.push(...some.map((member) => memberResource(config, member)))
    if (members.length > MOST_ANSWERED && !isWanted) return selected(resource, asked)
  }
  return selected({ ...resource, members }, asked)
}

/** The groups of a source that meet a filter, sorted by id. A group that it could adopt is found only by `displayName eq`. */
export async function listGroups(db: Reads, config: Config, source: CallingSource, asked: Asked) {
  const condition = asked.filter === undefined ? undefined : await readFilter(asked.filter)
  const where = condition ? whereOf('Group', condition) : sql<boolean>`true`
  const from = sql`from groups g join provisioned_groups p on p.group_id = g.id where ${isOwnGroup(source.id)} and ${where}`
  const read = async (reads: Reads) => {
    const { rows: counts } = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(reads)
    const page = sql<GroupRow>`select ${groupColumns} ${from} order by p.group_id limit ${asked.count} offset ${asked.offset}`
    return { total: counts[0]!.total, groups: asked.count === 0 ? [] : (await page.execute(reads)).rows }
  }
  let { total, groups } = condition ? await filtering(db, read) : await read(db)
  const name = total === 0 ? soleEquals('Group', condition, 'displayname') : undefined
  const named = name === undefined ? undefined : await findByName(db, cleanText(name, 'line'))
  if (named && mayAdopt(named, source)) {
    total = 1
    groups = asked.offset === 0 && asked.count > 0 ? [named] : []
  }
  const head = listHead(total, asked.offset + 1, groups.length)
  return new LongList<Resource>(
    (async function* () {
      yield `${JSON.stringify(head).slice(0, -1)},"Resources":[`
      for (const [at, group] of groups.entries()) {
        if (at > 0) yield ','
        yield* writtenGroup({ db, config, source }, group, asked)
      }
      yield ']}'
    })(),
  )
}
