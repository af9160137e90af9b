/** The approvals that an order needs before work on it begins, and the calls that decide on it. */
import { changeAll, invalidate, invalidateRecord, resource, setCached } from '../../../platform/cache.ts'
import { api, ifMatch, type Schemas } from '../../../platform/client.ts'
import { rereadOrder } from '../../../platform/orders-in-cache.ts'
import { Refusal } from '../../../platform/refusal.ts'

export type Details = Schemas['OrderDetails']
export type Approval = Schemas['OrderApproval']
export type Given = Schemas['OrderApprovalGiven']

const detailsAt = (id: number) => resource('/orders/{id}/details', { path: { id } })

/** The step that waits for approval; undefined if none does. */
export const openStep = ({ step, steps }: Approval) => steps.find(({ key }) => key === step)

/** A person's own approval of the open step. */
export const ownApproval = (approval: Approval, personId: number | undefined) =>
  openStep(approval)?.approvals.find(({ by }) => by.id === personId)

export const lastApproval = ({ steps }: Approval): Given | undefined =>
  steps
    .flatMap(({ approvals }) => approvals)
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .at(-1)

/** Removes a decided order from the person's approvals. The list is fetched again, because a later step may wait for the same person. */
function takeOff(id: number) {
  changeAll('/orders/details', (page, { query }) => {
    const items = query?.view === 'approve' ? page.items.filter(({ order }) => order.id !== id) : page.items
    return { ...page, items, totalCount: page.totalCount - (page.items.length - items.length) }
  })
  invalidate('/orders/details')
}

const overtaken: readonly string[] = ['changed_meanwhile', 'invalid_transition', 'forbidden', 'not_found']
export const isOvertaken = (failure: unknown) => failure instanceof Refusal && overtaken.includes(failure.code)

type Headers = Record<string, string>
/** Decides on an order as the page shows it. If its approvals have changed since, the portal refuses and the page is brought up to date. */
async function decide(id: number, act: (headers: Headers) => Promise<{ data?: Details; response: Response }>) {
  const shown = detailsAt(id)
  try {
    const { data, response } = await act(ifMatch(shown.version))
    setCached('/orders/{id}/details', data!, { path: { id } }, response)
    takeOff(id)
    void rereadOrder(id)
    return data!
  } catch (failure) {
    if (isOvertaken(failure)) {
      await Promise.all([shown.refresh(), rereadOrder(id)])
      // The timeline names the person who denied an order, so read it again.
      invalidateRecord('/orders/{id}/timeline', id)
      invalidate('/orders/details')
    }
    throw failure
  }
}

export const approve = (id: number, note: string) =>
  decide(id, (headers) => api.POST('/orders/{id}/approve', { params: { path: { id } }, body: note ? { note } : {}, headers }))
export const deny = (id: number, note: string) =>
  decide(id, (headers) => api.POST('/orders/{id}/deny', { params: { path: { id } }, body: { note }, headers }))
