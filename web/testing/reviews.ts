/** Reviews of access for journeys. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { makers } from '../../test/makers.ts'
import type { Portal } from './portal.ts'

export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export function reviewsIn(portal: Portal) {
  const { newGroup, newPerson } = makers(portal)

  /** Makes a group of `size` people, named Member 01 and so on. */
  async function grouped(size: number) {
    const people = []
    for (let n = 1; n <= size; n++) {
      const name = `Member ${String(n).padStart(2, '0')}`
      people.push(await newPerson({ displayNameAr: name, displayNameEn: name }))
    }
    const group = await newGroup({ userIds: people.map(({ id }) => id), descriptionAr: 'المالية', descriptionEn: 'Finance' })
    return { people, group }
  }
  async function reviewOf(groupIds: number[], fields: object = {}) {
    const body = {
      ...{ titleAr: 'مراجعة الشتاء', titleEn: 'Winter review' },
      groupIds,
      roleIds: [],
      dueDate: inDays(9),
      ifSilent: 'keep',
      ...fields,
    }
    const { status, body: review } = await portal.admin.post('/access-reviews', body)
    assert.equal(status, 201)
    return review as { id: number }
  }
  const countsOf = async (id: number) => (await portal.admin.get(`/access-reviews/${id}`)).body.counts
  const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
  return { grouped, reviewOf, countsOf, row }
}
