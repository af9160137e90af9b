import { answer, api, type Schemas } from '../../../platform/client.ts'
import { health } from '../shared/health/data.ts'

export type Sample = Schemas['HealthSample']
export type Job = Schemas['GivenUpJob']

/** Retries a job that was given up. */
export async function retryJob(id: number) {
  await answer(api.POST('/admin/jobs/{id}/retry', { params: { path: { id } } }))
  await health.refresh()
}
