/** Requests under load; none may be refused. */
import autocannon from 'autocannon'

export type Requests = NonNullable<autocannon.Options['requests']>

export async function ask(base: string, requests: Requests, options: Partial<autocannon.Options>) {
  const result = await autocannon({ url: base, requests, ...options })
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  return result
}

export const json = { 'content-type': 'application/json' }
