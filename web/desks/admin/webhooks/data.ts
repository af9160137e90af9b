import { invalidate, invalidateBelow, resource, setCached } from '../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, shownOnce, versionOf } from '../../../platform/client.ts'

export type Webhook = Schemas['Webhook']
export type Delivery = Schemas['WebhookDelivery']
export type Choice = Schemas['WebhookChoice']
export type State = Delivery['state']
export type Type = Delivery['type']

/** All webhooks. There are at most fifty, so the list has no pages. */
export const webhooks = resource('/webhooks')
export const webhookOf = (id: number) => resource('/webhooks/{id}', { path: { id } })

const PART = 20
export interface Filter {
  state?: State | undefined
  type?: Type | undefined
}
export const deliveriesOf = (id: number, { state, type }: Filter, offset: number) =>
  resource('/webhooks/{id}/deliveries', { path: { id }, query: { ...(state && { state }), ...(type && { type }), limit: PART, offset } })
export const deliveryOf = (id: number, sequence: number, part: number) =>
  resource('/webhooks/{id}/deliveries/{sequence}', { path: { id, sequence }, query: { part } })

export interface Values {
  name: string
  url: string
  types: Choice[]
}
export const valuesOf = ({ name, url, types }: Webhook): Values => ({ name, url, types })

/** Creates a webhook. Returns it with its secret, which is shown only once. */
export async function createWebhook({ name, url, types }: Values) {
  const { id, secret } = await answer(api.POST('/webhooks', { body: { name: name.trim(), url: url.trim(), types } }))
  invalidate('/webhooks')
  return { id, secret: shownOnce(secret) }
}

async function patch(id: number, body: Schemas['WebhookEdit'], version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PATCH('/webhooks/{id}', { params: path, body, headers: ifMatch(version) })
  setCached('/webhooks/{id}', data!, path, response)
  invalidate('/webhooks', '/webhooks/{id}/deliveries')
  return { from: valuesOf(data!), version: versionOf(response) }
}
export const saveWebhook = (id: number, changed: Partial<Values>, version: string | undefined) => patch(id, changed, version)
export const pauseWebhook = (id: number) => patch(id, { isActive: false }, undefined)
export const resumeWebhook = (id: number, resume: 'missed' | 'now') => patch(id, { isActive: true, resume }, undefined)

export async function removeWebhook(id: number) {
  await answer(api.DELETE('/webhooks/{id}', { params: { path: { id } } }))
  invalidate('/webhooks')
}

export async function rotateSecret(id: number, keepHours: number) {
  const { secret } = await answer(api.POST('/webhooks/{id}/rotate-secret', { params: { path: { id } }, body: { keepHours } }))
  invalidate('/webhooks', '/webhooks/{id}')
  return shownOnce(secret)
}

export async function sendTest(id: number) {
  await answer(api.POST('/webhooks/{id}/test', { params: { path: { id } } }))
}

/** Sends messages again, and returns their number. */
export async function replay(id: number, body: Schemas['WebhookReplay']) {
  const { count } = await answer(api.POST('/webhooks/{id}/replay', { params: { path: { id } }, body }))
  invalidateBelow('/webhooks')
  return count
}
