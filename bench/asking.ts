/** Sends requests, alone or under load, and times them. Fails if one is refused. */
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'

export type Requests = NonNullable<autocannon.Options['requests']>

export async function ask(base: string, requests: Requests, options: Partial<autocannon.Options>) {
  const result = await autocannon({ url: base, requests, ...options })
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  return result
}

export const json = { 'content-type': 'application/json' }

/** Makes one call; returns the parsed answer. Throws if the call is refused. */
export async function call(base: string, headers: Record<string, string>, method: string, path: string, body?: unknown) {
  const init = { method, headers: { ...json, ...headers }, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await fetch(base + path, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text ? JSON.parse(text) : undefined
}

/** The milliseconds that `work` takes. */
export async function timeOf(work: () => Promise<unknown>) {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Runs `work` `count` times in `lanes` concurrent lanes; returns the elapsed milliseconds per run. */
export async function timeEach(count: number, work: (n: number) => Promise<unknown>, lanes = 1) {
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  return (await timeOf(() => Promise.all(Array.from({ length: lanes }, lane)))) / count
}

export const p99 = (values: number[]) => values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.99) - 1]!

/** The times of one person's reads, one after the other, while `work` runs. */
export async function readsDuring(base: string, cookie: string, work: () => Promise<unknown>) {
  const times: number[] = []
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    times.push(await timeOf(() => fetch(`${base}/api/auth/me`, { headers: { cookie } }).then((answer) => answer.text())))
    await pause(5)
  }
  await done
  return times
}
