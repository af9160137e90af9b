/** An act of each kind of change of imports that tells their starter. */
import { applied, imported, sendFile } from './imports.ts'
import type { TestPortal } from './portal.ts'

export function importActs(portal: TestPortal) {
  const file = ['username', 'admin']
  const preview = async () => (await sendFile(portal.admin, file)).body.id as number
  return {
    'import.applying': async () => applied(portal.admin, await preview()),
    'import.progressed': async () => applied(portal.admin, await preview()),
    'import.finished': async () => applied(portal.admin, await preview()),
    'import.discarded': async () => portal.admin.delete(`/users/imports/${await preview()}`),
    'import.links_issued': async () => {
      const { id } = await imported(portal.admin, ['username,email', 'invited.by.file,invited.by.file@example.org'], { invite: true })
      return portal.admin.post(`/users/imports/${id}/links`)
    },
  }
}
