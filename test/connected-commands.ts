/** Commands about webhooks, sources and imports, combined with the commands of other files, for the test of the order of locks. */
import { approvalCommands } from './approval-commands.ts'
import { importing } from './import-acts.ts'
import type { makers } from './makers.ts'
import type { Client, TestPortal } from './portal.ts'
import { newSource } from './scim.ts'
import { must, signInCommands } from './sign-in-commands.ts'

const connectedCommands = (portal: TestPortal): Record<string, (setting: { admin: Client; salem: Client }) => Promise<unknown>> => ({
  'a file of people is applied': ({ admin, salem }) => importing(admin, salem),
  'a webhook': async ({ admin }) => {
    const fields = { name: 'Stock', url: 'https://stock.example.org/', types: ['webhook.test'], isActive: false }
    const path = `/webhooks/${(await must(admin.post('/webhooks', fields))).id}`
    await must(admin.post(`${path}/rotate-secret`, {}))
    await must(admin.patch(path, { isActive: true, resume: 'now' }))
    await must(admin.patch(path, { isActive: false }))
    await must(admin.delete(path))
  },
  'people and groups of a source': async ({ admin }) => {
    const source = await newSource(portal, { invite: true })
    const manager = { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: 'two@source.example.org' } } }
    const [one, other] = [await source.person('one@source.example.org', manager), await source.person('two@source.example.org')]
    await must(source.patch(`/Users/${one.id}`, { op: 'remove', path: 'manager' }))
    await must(source.patch(`/Users/${one.id}`, { op: 'add', path: 'manager', value: other.id }))
    const group = await source.group('Made', [one.id])
    await must(source.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: other.id }] }))
    await must(source.patch(`/Users/${one.id}`, { op: 'replace', path: 'active', value: false }))
    await must(source.call('DELETE', `/Users/${other.id}`))
    await must(source.call('DELETE', `/Groups/${group.id}`))
    await must(admin.patch(`/admin/provisioning/sources/${source.id}`, { isActive: false }))
    await must(admin.delete(`/admin/provisioning/sources/${source.id}`))
  },
})

export const furtherCommands = (portal: TestPortal, make: ReturnType<typeof makers>) => ({
  ...signInCommands(portal, make),
  ...approvalCommands(portal, make),
  ...connectedCommands(portal),
})
