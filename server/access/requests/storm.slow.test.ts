/** Random acts of many people on two instances at once leave every request and every membership consistent. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { asking, REQUESTS } from '../../../test/access-requests.ts'
import { type Answer, testPortal } from '../../../test/portal.ts'
import { type AtBoth, twoInstances } from '../../../test/race.ts'
import { generator, seed } from '../../../test/suite.ts'

const portal = testPortal()
const { make, openGroup } = asking(portal)
const atBoth = twoInstances(portal)
const ACTS = 4000
const AT_ONCE = 24
const [PEOPLE, GROUPS] = [10, 5]

const below = generator(seed)
const oneOf = <T>(some: readonly T[]) => some[below(some.length)]!

const people: AtBoth[] = []
const groups: number[] = []
const requests: { id: number; requester: AtBoth }[] = []
let admin: AtBoth

const policy = () => ({
  requestable: below(8) > 0,
  approverUserIds: people.filter(() => below(3) === 0).map(([{ id }]) => id!),
  approverGroupIds: below(3) ? [] : [oneOf(groups)],
  askerGroupIds: below(6) ? [] : [oneOf(groups)],
  minApprovals: 1 + below(3),
  maxDays: oneOf([null, null, 7]),
})
const newPerson = async () => atBoth(await make.newPerson({ roles: below(8) ? [] : ['admin'] }))

before(async () => {
  await portal.ready
  admin = await atBoth(portal.admin)
  for (let n = 0; n < PEOPLE; n++) people.push(await newPerson())
  for (let n = 0; n < GROUPS; n++) groups.push((await openGroup()).id)
})

const by = (person: AtBoth) => person[below(2)]!
const someone = () => by(oneOf(people))
const boss = () => by(admin)
/** One of the newest requests. */
const recent = () => oneOf(requests.slice(-8)) ?? { id: 1, requester: oneOf(people) }
const about = (step: string) => `${REQUESTS}/${recent().id}/${step}`

async function ask() {
  const requester = oneOf(people)
  const answer = await by(requester).post(REQUESTS, { groupId: oneOf(groups), days: oneOf([null, 3, 5]) })
  if (answer.status === 201) requests.push({ id: answer.body.id, requester })
  return answer
}
async function withdraw() {
  const { id, requester } = recent()
  return by(requester).post(`${REQUESTS}/${id}/withdraw`)
}
/** Deletes or deactivates somebody, and creates somebody new in their place. */
async function replacePerson() {
  const [gone] = people.splice(below(people.length), 1, await newPerson())
  const path = `/users/${gone![0].id}`
  return below(2) ? boss().delete(`${path}?force=true`) : boss().patch(path, { isActive: false })
}
async function replaceGroup() {
  const [gone] = groups.splice(below(groups.length), 1, (await openGroup()).id)
  return boss().delete(`/groups/${gone}?force=true`)
}
const acts: [weight: number, act: () => Promise<Answer>][] = [
  [10, ask],
  [14, () => someone().post(about('approve'), { days: oneOf([undefined, 1, 4]) })],
  [3, () => boss().post(about('approve'), {})],
  [2, () => someone().post(about('deny'), { note: 'No' })],
  [3, withdraw],
  [2, () => boss().put(`/groups/${oneOf(groups)}/request-policy`, policy())],
  [2, () => someone().delete(`/auth/me/groups/${oneOf(groups)}`)],
  [1, () => boss().post(`/groups/${oneOf(groups)}/users`, { userId: someone().id })],
  [2, () => boss().delete(`/groups/${oneOf(groups)}/users/${someone().id}`)],
  [1, () => boss().post(`/groups/${oneOf(groups)}/roles`, { roleId: 1 })],
  [1, replacePerson],
  [1, replaceGroup],
]
const chances = acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act))

/** Makes the acts. Returns how often each answer occurred. */
async function storm() {
  const counts: Record<string, number> = {}
  let left = ACTS
  const work = async () => {
    while (left-- > 0) {
      const { status, body } = await oneOf(chances)()
      const answer = `${status} ${body?.code ?? 'done'}`
      counts[answer] = (counts[answer] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return counts
}

/** Queries that must find no ids afterwards, by the fault that they look for. */
const faults: Record<string, string> = {
  'a grant without an approval': `
    select (facts ->> 'requestId')::int as id from ledger where facts ? 'requestId'
    except select id from access_requests where status = 'approved'`,
  'two grants of one request': `
    select (facts ->> 'requestId')::int as id from ledger where facts ? 'requestId' group by 1 having count(*) > 1`,
  'a pending request on which nothing is left to decide': `
    select r.id from access_requests r left join request_policies p using (group_id) left join users u on u.id = requester_id
    where r.status = 'pending' and (p.requestable is not true or u.is_active is not true or exists (
      select from group_users g where g.group_id = r.group_id and g.user_id = r.requester_id and g.expires_at is null))`,
  'two pending requests of one person for one group': `
    select min(id) as id from access_requests where status = 'pending' group by requester_id, group_id having count(*) > 1`,
  'a decision of the requester': `
    select id from access_requests where decided_by = requester_id
    union select request_id from access_approvals join access_requests on id = request_id where approver_id = requester_id`,
  'too few approvals': `
    select id from access_requests where status = 'approved'
      and needed_approvals > (select count(*) from access_approvals where request_id = access_requests.id)`,
  'steps that differ from the state': `
    select id from access_requests join lateral (
      select count(*) filter (where action = 'access.request') as made,
        count(*) filter (where action in ('access.deny', 'access.withdraw', 'access.lapse')) as ended,
        count(*) filter (where action = 'access.approve') as approved
      from ledger where target_type = 'access_request' and target_id = access_requests.id) as steps on true
    where made <> 1 or ended <> case when status in ('denied', 'withdrawn', 'lapsed') then 1 else 0 end
      or status = 'approved' and approved = 0`,
  'a group that can be asked for and gives the role admin': `
    select group_id as id from request_policies join group_roles using (group_id) where requestable and role_id = 1`,
  'a membership that its history does not explain': `
    with moves as (
      select target_id as user_id, group_id, 1 as by from permission_history, unnest(added) as group_id where kind = 'user.groups'
      union all select target_id, group_id, -1 from permission_history, unnest(removed) as group_id where kind = 'user.groups')
    select coalesce(summed.user_id, held.user_id) as id
    from (select user_id, group_id, sum(by) as total from moves group by 1, 2) as summed
      full join memberships as held using (user_id, group_id)
    where coalesce(total, 0) <> case when held.user_id is null then 0 else 1 end`,
}

test(`after ${ACTS} acts, ${AT_ONCE} at a time, all requests and memberships are consistent`, async (t) => {
  const counts = await storm()
  t.diagnostic(JSON.stringify(counts))
  assert.deepEqual(
    Object.keys(counts).filter((answer) => answer.startsWith('5')),
    [],
  )
  // A few acts may not lead to every status.
  if (ACTS >= 1000)
    for (const status of ['approved', 'denied', 'withdrawn', 'lapsed'])
      assert.ok((await portal.sql('select from access_requests where status = $1', [status])).length > 0, status)
  for (const [fault, query] of Object.entries(faults)) assert.deepEqual(await portal.sql(query), [], fault)
  assert.equal(await portal.deadlocks(), 0)
})
