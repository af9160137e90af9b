/** For each kind of change of imports that notifies the person who began the import, an act that causes such a change. */
import { applied, imported, sendFile } from './imports.ts'
import type { Client, TestPortal } from './portal.ts'
import { must } from './sign-in-commands.ts'

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

/** Makes all calls of an administrator about an import, for an existing person and a new one. */
export async function importing(admin: Client, { id, username }: Client) {
  await must(sendFile(admin, ['username', 'admin']))
  const lines = [`${username},,Renamed`, `file.${id},file.${id}@example.org,`]
  const path = `/users/imports/${(await must(sendFile(admin, ['username,email,display_name_en', ...lines]))).id}`
  await applied(admin, Number(path.split('/').at(-1)), { invite: true })
  await must(admin.post(`${path}/links`))
  await must(admin.delete(path))
}
