/** Finds the people whom the lines of a pasted list name. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Reads } from '../../platform/database/db.ts'
import type { Language } from '../../platform/tables.ts'
import { likePattern } from '../../platform/text.ts'
import { nameAsListed } from './queries.ts'
import type { PersonSummary } from './shapes.ts'

/** Shorter texts must match exactly: they are part of most names, and no index finds them. */
const FEWEST_LETTERS = 3
const MOST_MATCHES = 20
/** The most texts of one statement, so that other requests get their turn in between. */
const BATCH = 50

type Person = Static<typeof PersonSummary>
interface Found extends Person {
  folded: string
}

const foldAll = async (db: Reads, texts: readonly string[]) =>
  (
    await sql<{ folded: string }>`
      select portal_fold(text) as folded from unnest(${texts}::text[]) with ordinality as asked (text, place) order by place`.execute(db)
  ).rows.map(({ folded }) => folded)

/** The people who have one of these folded texts as a username, an e-mail address or a display name, sorted by name. */
const findExactly = async (db: Reads, texts: readonly string[], language: Language) =>
  (
    await sql<Found>`
      select folded, u.id, u.username, u.display_name_ar, u.display_name_en, u.avatar_url
      from unnest(${texts}::text[]) as folded join users as u on string_to_array(u.search, E'\x01') @> array[folded]
      where kind = 'person'
      order by ${sql.raw(nameAsListed[language])}, u.id`.execute(db)
  ).rows

/** For each of these folded texts, some of the people with a name or e-mail address that contains it, sorted by name. */
async function findContaining(db: Reads, texts: readonly string[], language: Language) {
  const { rows } = await sql<Found>`
    select folded, u.id, u.username, u.display_name_ar, u.display_name_en, u.avatar_url
    from unnest(${texts}::text[], ${texts.map(likePattern)}::text[]) as asked (folded, pattern)
    cross join lateral (select * from users where search like pattern and kind = 'person' limit ${MOST_MATCHES}) as u
    order by ${sql.raw(nameAsListed[language])}, u.id`.execute(db)
  return rows
}

/**
 * The people whom each text names, ignoring case, diacritics and letter forms: those with this username, e-mail address or display name, or
 * else those with a name or e-mail address that contains it.
 */
export async function resolvePeople(db: Reads, texts: readonly string[], language: Language) {
  const folded = await foldAll(db, texts)
  const asked = [...new Set(folded)].filter(Boolean)
  const found = Map.groupBy(await findExactly(db, asked, language), (person) => person.folded)
  const unknown = asked.filter((text) => !found.has(text) && [...text].length >= FEWEST_LETTERS)
  for (let from = 0; from < unknown.length; from += BATCH) {
    const some = await findContaining(db, unknown.slice(from, from + BATCH), language)
    for (const [text, people] of Map.groupBy(some, (person) => person.folded)) found.set(text, people)
  }
  return texts.map((text, place) => ({ text, matches: (found.get(folded[place]!) ?? []).slice(0, MOST_MATCHES) }))
}
