/** Groups that people can ask to join, and requests for them. */
import assert from 'node:assert/strict'
import { makers } from './makers.ts'
import type { Answer, Client, TestPortal } from './portal.ts'

export const REQUESTS = '/access-requests'

interface Policy {
  requestable?: boolean
  askerGroupIds?: number[]
  approverUserIds?: number[]
  approverGroupIds?: number[]
  minApprovals?: number
  maxDays?: number | null
  reasonRequired?: boolean
  noteAr?: string | null
  noteEn?: string | null
}

/** The body of an answer with this status. */
export async function bodyOf(answering: Promise<Answer>, expected = 200) {
  const { status, body, text } = await answering
  assert.equal(status, expected, text)
  return body
}
/** The status and the code of a refusal. */
export async function refusalOf(answering: Promise<Answer>) {
  const { status, body } = await answering
  return [status, body?.code]
}

export function asking(portal: TestPortal) {
  const make = makers(portal)
  const setPolicy = (groupId: number, policy: Policy) => bodyOf(portal.admin.put(`/groups/${groupId}/request-policy`, policy))

  return {
    make,
    setPolicy,
    /** Makes a group that people can ask to join. */
    async openGroup(policy: Policy = {}, fields: object = {}) {
      const group = await make.newGroup(fields)
      await setPolicy(group.id, { requestable: true, ...policy })
      return group
    },
    ask: async (by: Client, groupId: number, fields: object = {}) =>
      (await bodyOf(by.post(REQUESTS, { groupId, ...fields }), 201)).id as number,
    approve: (by: Client, id: number, body: object = {}) => by.post(`${REQUESTS}/${id}/approve`, body),
    deny: (by: Client, id: number, note = 'No') => by.post(`${REQUESTS}/${id}/deny`, { note }),
    withdraw: (by: Client, id: number) => by.post(`${REQUESTS}/${id}/withdraw`),
    read: (by: Client, id: number) => bodyOf(by.get(`${REQUESTS}/${id}`)),
    /** Makes a request `hours` older. */
    age: (id: number, hours: number) =>
      portal.meddle(
        'access_request',
        id,
        `update access_requests set created_at = created_at - interval '${hours} hours' where id = ${id}`,
      ),
    idsIn: async (by: Client, query = '') =>
      (await bodyOf(by.get(`${REQUESTS}${query}`))).items.map(({ id }: { id: number }) => id) as number[],
    membersOf: async (groupId: number) => (await bodyOf(portal.admin.get(`/groups/${groupId}`))).userIds as number[],
  }
}
