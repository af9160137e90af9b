import { settings } from '../../../frame/site.ts'
import { resource } from '../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'

export { settings }
export type Settings = Schemas['AppSettings']
export type Field = Exclude<keyof Settings, 'updatedAt'>

const apps = resource('/admin/apps')
/** The number of apps that a new account sees: active apps without restrictions. Undefined until the apps are loaded. */
export const openApps = () => apps.data?.filter(({ isActive, restrictionCount }) => isActive && restrictionCount === 0).length

/** Thrown if somebody else has saved a different value of the same field. */
export class Overtaken extends Error {
  override name = 'Overtaken'
}

/**
 * Saves one field whose value was `from`. If somebody else has saved other fields meanwhile, sends it again with the new version;
 * if they have changed this field, throws `Overtaken`. `tried` is a value that was sent but not answered: the portal may have saved it.
 */
export async function saveField<F extends Field>(field: F, value: Settings[F], from: Settings[F], tried = value): Promise<void> {
  const now = await settings.load()
  if (![from, value, tried].includes(now[field])) throw new Overtaken()
  try {
    await answer(api.PATCH('/settings', { body: { [field]: value }, headers: ifMatch(settings.version) }))
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.code === 'changed_meanwhile')) throw failure
    await settings.refresh()
    return saveField(field, value, from, tried)
  }
  await settings.refresh()
}
