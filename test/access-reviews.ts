/** Reviews of access for tests: making, judging and closing them. */
import assert from 'node:assert/strict'
import { runJob } from './jobs.ts'
import { makers } from './makers.ts'
import { type Client, type TestPortal, until } from './portal.ts'

export const REVIEWS = '/access-reviews'

/** The UTC date `days` days from today. In tests, the office is in UTC. */
export const dayAhead = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)

export interface Item {
  id: number
  person: { id: number; username: string }
  isServiceAccount?: true
  sourceId?: number
  kind: 'group' | 'role'
  group: { id: number; name: string } | null
  role: { id: number; name: string } | null
  since: string | null
  grantedBy: { id: number; username: string } | null
  expiresAt: string | null
  lastUsedAt: string | null
  lastSignInAt: string | null
  suggestion: string | null
  verdict: string | null
  note: string | null
  reviewer: { id: number; username: string } | null
  at: string | null
  outcome: string | null
  skipReason: string | null
}

export function reviewing(portal: TestPortal) {
  /** Begins a review that is due in eight days. */
  async function open(fields: object) {
    const { status, body, text } = await portal.admin.post(REVIEWS, {
      titleEn: 'Quarter',
      dueDate: dayAhead(8),
      ifSilent: 'keep',
      ...fields,
    })
    assert.equal(status, 201, text)
    return body as { id: number; status: string; counts: Record<string, number> }
  }
  async function itemsOf(id: number, by: Client = portal.admin, query = '') {
    const { status, body, text } = await by.get(`${REVIEWS}/${id}/items?limit=200${query}`)
    assert.equal(status, 200, text)
    return body.items as Item[]
  }
  const read = async (id: number, by: Client = portal.admin) => (await by.get(`${REVIEWS}/${id}`)).body
  /** The id of a person’s first item. */
  const itemOf = async (id: number, person: { id: number }) => (await itemsOf(id)).find((item) => item.person.id === person.id)!.id
  const judge = (id: number, by: Client, ...items: { id: number; verdict: string | null; note?: string }[]) =>
    by.post(`${REVIEWS}/${id}/verdicts`, { items })
  async function decide(id: number, verdict: string | null, ...people: { id: number }[]) {
    const own = (await itemsOf(id)).filter(({ person }) => people.some((one) => one.id === person.id))
    const { status, body, text } = await judge(id, portal.admin, ...own.map((item) => ({ id: item.id, verdict })))
    assert.equal(status, 200, text)
    assert.deepEqual(body.failedIds, [])
  }
  const untilClosed = (id: number) => until(`review ${id} is closed`, async () => (await read(id)).status === 'closed')
  async function close(id: number, by: Client = portal.admin) {
    const { status, body, text } = await by.post(`${REVIEWS}/${id}/close`, {})
    assert.equal(status, 200, text)
    await untilClosed(id)
    return body
  }
  const preview = async (id: number) => (await portal.admin.post(`${REVIEWS}/${id}/close`, { dryRun: true })).body
  /** The outcome of each person’s item. */
  async function outcomes(id: number) {
    return Object.fromEntries((await itemsOf(id)).map(({ person, outcome, skipReason }) => [person.username, skipReason ?? outcome]))
  }
  /** Runs the jobs that watch the clock, which otherwise run each minute. */
  const watch = async () => {
    await runJob(portal, 'watch_access_reviews')
    await runJob(portal, 'remind')
  }

  /**
   * For each kind of change that notifies people or sends events, an act that causes such a change. The change reaches the administrator
   * and a reviewer.
   */
  function scenes(reviewer: () => { id: number } & Client) {
    const make = makers(portal)
    async function reviewed() {
      const groupIds = [(await make.newGroup({ userIds: [(await make.newPerson()).id] })).id]
      return (await open({ groupIds, reviewerUserIds: [reviewer().id] })).id
    }
    return {
      'access_review.opened': reviewed,
      'access_review.updated': async () => portal.admin.patch(`${REVIEWS}/${await reviewed()}`, { titleEn: 'Another' }),
      'access_review.judged': async () => {
        const id = await reviewed()
        return judge(id, reviewer(), { id: (await itemsOf(id))[0]!.id, verdict: 'keep' })
      },
      'access_review.reminded': async () => {
        const id = await reviewed()
        await portal.meddle('access_review', id, `update access_reviews set created_at = created_at - interval '30 days' where id = ${id}`)
        return watch()
      },
      'access_review.closing': async () => portal.admin.post(`${REVIEWS}/${await reviewed()}/close`, {}),
      'access_review.finished': async () => close(await reviewed()),
      'access_review.cancelled': async () => portal.admin.post(`${REVIEWS}/${await reviewed()}/cancel`),
    }
  }
  return { scenes, open, itemsOf, itemOf, read, judge, decide, close, untilClosed, preview, outcomes, watch }
}
