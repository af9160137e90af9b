/** Commands about approvals, orders for somebody else and managers, for the test of the order of locks. */
import { approving, stepOf } from './approvals.ts'
import type { makers } from './makers.ts'
import type { Client, TestPortal } from './portal.ts'
import { must } from './sign-in-commands.ts'

interface Records {
  admin: Client
  huda: Client
  salem: Client & { id: number }
}

export const approvalCommands = (
  portal: TestPortal,
  make: ReturnType<typeof makers>,
): Record<string, (setting: Records) => Promise<unknown>> => ({
  'an order that waits for approvals': async ({ admin, huda, salem }) => {
    const { serviceOf, serviceWith, placed, approve, deny } = approving(portal, make)
    const id = await placed(huda, await serviceOf(salem, admin))
    await must(approve(salem, id))
    await must(approve(admin, id))
    await must(admin.patch(`/orders/${id}/status`, { status: 'cancelled' }))
    const serviceId = await serviceWith({ onBehalf: 'everyone', steps: [stepOf({ manager: true })] })
    const guest = await make.newPerson()
    await must(admin.put(`/users/${guest.id}/manager`, { userId: salem.id }))
    await must(deny(salem, await placed(huda, serviceId, { forUserId: guest.id })))
    const writer = await make.newPerson()
    await placed(writer, serviceId, { forUserId: guest.id })
    await must(admin.delete(`/users/${writer.id}?force=true`))
    await placed(huda, serviceId, { forUserId: guest.id })
    await must(admin.patch(`/users/${guest.id}`, { isActive: false }))
    await must(admin.put('/users/managers', { items: [{ userId: guest.id, managerId: null }] }))
  },
})
