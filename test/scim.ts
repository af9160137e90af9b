/** Sources of people, and calls as directories make them. */
import assert from 'node:assert/strict'
import type { TestPortal } from './portal.ts'
import { withToken } from './tokens.ts'

export const SCIM = '/scim/v2'
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

let sources = 0
/** An active source, with a client that sends its token. */
export async function newSource(portal: TestPortal, settings: object = {}) {
  const made = await portal.admin.post('/admin/provisioning/sources', { name: `source-${++sources}`, isActive: true, ...settings })
  assert.equal(made.status, 201, made.text)
  const { id, name } = made.body as { id: number; name: string }
  const token = await portal.admin.post(`/admin/provisioning/sources/${id}/tokens`, { name: 'Test' })
  assert.equal(token.status, 201, token.text)
  const { send } = withToken(portal, token.body.token)
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send(method, `${SCIM}${path}`, body === undefined ? undefined : JSON.stringify(body), {
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    })
  return {
    id,
    name,
    token: token.body.token as string,
    client: { send },
    call,
    get: (path: string) => call('GET', path),
    find: (filter: string, type = 'Users') => call('GET', `/${type}?filter=${encodeURIComponent(filter)}`),
    patch: (path: string, ...Operations: object[]) => call('PATCH', path, { schemas: [PATCH], Operations }),
    /** Creates a person; returns the resource. */
    async person(userName: string, more: object = {}) {
      const answer = await call('POST', '/Users', {
        schemas: [USER],
        userName,
        emails: [{ value: userName, type: 'work', primary: true }],
        ...more,
      })
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    },
    async group(displayName: string, members: string[] = [], more: object = {}) {
      const answer = await call('POST', '/Groups', { displayName, members: members.map((value) => ({ value })), ...more })
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    },
  }
}
export type TestSource = Awaited<ReturnType<typeof newSource>>
