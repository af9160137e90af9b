/** Compares a list of 1,000 notes and a thread of 200 replies with a bare server, and measures sending notes. */
import autocannon from 'autocannon'
import { note } from './figures.ts'
import { compareWithFloor } from './floor-ratio.ts'
import { fillPeople } from './people.ts'
import { type BenchPortal, openBenchPortal } from './portal.ts'

const NOTES = 1000
const REPLIES = 200
const RECIPIENTS = 4
const TRIES = 30
const PEOPLE = 64
const SENT_BY_EACH = 60

/** Makes the first person's notes, with one or two labels each. The last one, whose id is returned, has four recipients who replied. */
async function fillNotes({ sql }: BenchPortal, ids: number[]) {
  const [owner, ...others] = ids as [number, ...number[]]
  const [{ id }] = (await sql<{ id: number }>(
    `with labels as (
       insert into note_labels (user_id, name) select $1, 'وسم ' || n from generate_series(1, 10) as n returning id),
     added as (
       insert into notes (user_id, title, content, color, is_pinned)
       select $1, 'ملاحظة رقم ' || n || ' on the budget', repeat('متابعة أعمال اللجنة مع المورّد، then call "the office" ' || n || E'.\n', 3), 'yellow', n % 50 = 0
       from generate_series(1, $2::int) as n returning id),
     ledger as (
       insert into ledger (kind, target_type, target_id, facts)
       select 'bench.filled', 'note', id, '{}'::jsonb from added union all select 'bench.filled', 'note_label', id, '{}' from labels),
     links as (insert into note_label_links select added.id, labels.id from added, labels where (added.id + labels.id) % 8 = 0)
     select max(id) as id from added`,
    [owner, NOTES],
  )) as [{ id: number }]
  await sql(
    `with ledger as (insert into ledger (kind, target_type, target_id, facts) values ('bench.filled', 'note', $1, '{}'))
     insert into note_recipients (note_id, recipient_id, status) select $1, unnest($2::int[]), 'replied'`,
    [id, others],
  )
  await sql(
    `with ledger as (insert into ledger (kind, target_type, target_id, facts) values ('bench.filled', 'note', $1, '{}'))
     insert into note_replies (note_id, recipient_id, is_from_owner, content)
     select $1, ($2::int[])[n % $3::int + 1], n % 3 = 0, 'تم الاطلاع، والرد كما يلي: agreed, but see paragraph ' || n || ' of the annex.'
     from generate_series(1, $4::int) as n`,
    [id, others, RECIPIENTS, REPLIES],
  )
  await sql('analyze')
  return id
}

/** Prints the time of an uncached answer, just after a change to its data. */
async function timeAnew({ base }: BenchPortal, cookie: string, noteId: number, path: string) {
  const times = []
  for (let n = 0; n < TRIES; n++) {
    const headers = { cookie, 'content-type': 'application/json' }
    await fetch(`${base}/api/notes/${noteId}`, { method: 'PATCH', headers, body: JSON.stringify({ title: `Title ${n}` }) })
    const begun = performance.now()
    await (await fetch(base + path, { headers: { cookie } })).text()
    times.push(performance.now() - begun)
  }
  note({ what: `GET ${path.replace(/\/\d+/, '/:id')}, after a change`, unit: 'ms', rounds: times })
}

/** Sends notes to three people each, from as many connections as there are people. */
async function sendNotes(portal: BenchPortal, { ids, cookies }: Awaited<ReturnType<typeof fillPeople>>) {
  const written = await portal.sql<{ id: number; userId: number }>(
    `with added as (
       insert into notes (user_id, title, content) select id, 'ملاحظة رقم ' || n, 'متابعة أعمال اللجنة'
       from unnest($1::int[]) as id, generate_series(1, $2::int) as n returning id, user_id),
     ledger as (insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'note', id, '{}' from added)
     select id, user_id as "userId" from added`,
    [ids, SENT_BY_EACH],
  )
  const rounds = ids.map((_, round) => {
    const recipientUserIds = [1, 2, 3].map((step) => ids[(round + step) % PEOPLE]!)
    const own = written.filter(({ userId }) => userId === ids[round])
    return own.map(({ id }) => ({
      method: 'POST' as const,
      path: `/api/notes/${id}/send`,
      headers: { cookie: cookies[round]!, 'content-type': 'application/json' },
      body: JSON.stringify({ recipientUserIds }),
    }))
  })
  const begun = performance.now()
  const results = await Promise.all(
    // autocannon ends at the end of a sample, so with its usual samples of a second it could measure only whole seconds.
    rounds.map((requests) => autocannon({ url: portal.base, connections: 1, amount: requests.length, sampleInt: 20, requests })),
  )
  if (results.some(({ non2xx, errors }) => non2xx || errors)) throw new Error('a note was not sent')
  note({ what: 'sending notes to three people', unit: '/s', rounds: [written.length / ((performance.now() - begun) / 1000)] })
}

/** Prints the figures; returns whether they meet their targets. */
export async function benchNotes() {
  const portal = await openBenchPortal()
  try {
    const people = await fillPeople(portal, PEOPLE)
    const { cookies } = people
    const noteId = await fillNotes(portal, people.ids.slice(0, RECIPIENTS + 1))
    const paths = ['/api/notes', `/api/notes/${noteId}/thread`]
    for (const path of paths) await timeAnew(portal, cookies[0]!, noteId, path)
    await sendNotes(portal, people)
    return await compareWithFloor(portal, { paths, callers: cookies.slice(0, 1).map((cookie) => ({ cookie })), atLeast: 0.25 })
  } finally {
    await portal.close()
  }
}
