/** Makes services whose orders wait for approvals, and calls about such orders. */
import assert from 'node:assert/strict'
import type { makers } from './makers.ts'
import type { Client, TestPortal } from './portal.ts'

export const stepOf = (fields: object = {}) => ({ key: 'first', nameAr: 'الأولى', nameEn: 'First', ...fields })

export function approving(portal: TestPortal, make: ReturnType<typeof makers>) {
  /** Makes a service with this handling, whose steps must have different keys. */
  async function serviceWith(handling: object) {
    const { id } = await make.newService()
    const answer = await portal.admin.put(`/services/${id}/handling`, handling)
    assert.equal(answer.status, 200, answer.text)
    return id
  }
  /** Moves the opening of an order's steps `hours` into the past. */
  const passHours = (id: number, hours: number) =>
    portal.meddle('order', id, `update order_steps set opened_at = opened_at - make_interval(hours => ${hours}) where order_id = ${id}`)
  return {
    serviceWith,
    passHours,
    /** Moves the opening of an order's steps `days` into the past, each of them a working day of this calendar. */
    async passDays(id: number, days: number, calendarId: number) {
      await portal.sql(
        `insert into working_spans select ${calendarId}, first - make_interval(days => n), first - make_interval(days => n - 1), 0
         from (select min(starts_at) as first from working_spans where calendar_id = ${calendarId}) as made, generate_series(1, ${days}) as n`,
      )
      await passHours(id, 24 * days)
    },
    /** Makes a service with one step for each of these approvers. */
    serviceOf: (...approvers: { id: number }[]) =>
      serviceWith({ steps: approvers.map(({ id }, n) => stepOf({ key: `step${n}`, userIds: [id] })) }),
    /** Places an order of a service; returns its id. */
    async placed(who: Client, serviceId: number, fields: object = {}): Promise<number> {
      const answer = await who.post('/orders', { serviceId, ...fields })
      assert.equal(answer.status, 201, answer.text)
      return answer.body.id
    },
    approve: (who: Client, id: number, note?: string) => who.post(`/orders/${id}/approve`, { note }),
    deny: (who: Client, id: number, note: string | null = 'No') => who.post(`/orders/${id}/deny`, { note }),
    detailsFor: async (who: Client, id: number) => (await who.get(`/orders/${id}/details`)).body,
    /** The ids of the orders that wait for a person's approval. */
    waitingFor: async (who: Client): Promise<number[]> =>
      (await who.get('/orders/details?view=approve')).body.items.map(({ order }: { order: { id: number } }) => order.id),
  }
}
