/** Archives days over HTTP and reads the files. */
import { request } from 'undici'
import { MEETINGS } from './meetings.ts'
import { type Client, type TestPortal, until } from './portal.ts'
import { recordRefusal } from './provoked.ts'

export const ARCHIVES = `${MEETINGS}/pdf-archives`

interface Archive {
  id: number
  objectPath: string
  createdAt: string
  meetingCount: number
}
export const fileOf = ({ id }: { id: number }) => `${ARCHIVES}/${id}/file`

let days = 0
/** A date that no other call has returned. */
export const newDay = () => new Date(Date.UTC(2031, 0, ++days)).toISOString().slice(0, 10)

export function archiving(portal: TestPortal) {
  async function make<T>(path: string, body: object, by: Client) {
    const answer = await by.post(path, body)
    if (answer.status !== 201) throw new Error(`${path} ${answer.text}`)
    return answer.body as T
  }
  const meet = (date: string, fields: object = {}) =>
    make<{ id: number }>(MEETINGS, { date, startTime: '09:00', titleAr: 'الميزانية', titleEn: 'Budget', ...fields }, portal.admin)
  const archive = (date: string, { language = 'en', by = portal.admin as Client } = {}) => make<Archive>(ARCHIVES, { date, language }, by)

  async function read(path: string, headers: Record<string, string> = {}, base = portal.base) {
    const answer = await request(`${base}/api${path}`, { headers: { cookie: portal.admin.cookie, ...headers } })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    if (answer.statusCode >= 400) recordRefusal('GET', path, JSON.parse(String(bytes)).code)
    return { status: answer.statusCode, headers: answer.headers, bytes }
  }
  const shown = async ({ id }: { id: number }) => (await portal.admin.get(ARCHIVES)).body.find((one: { id: number }) => one.id === id)
  const ready = (one: { id: number }) => until('the PDF is made', async () => ((await shown(one)).status === 'ready' ? shown(one) : null))

  /** An archive whose PDF can never be made. */
  async function abandoned(date = newDay()): Promise<Archive> {
    const columns = 'date, language, content, meeting_count, created_by'
    await portal.meddle('user', 1, `insert into pdf_archives (${columns}) values ('${date}', 'en', '{}', 0, 1)`)
    return (await portal.admin.get(`${ARCHIVES}?from=${date}&to=${date}`)).body[0]
  }

  /** Queues the PDF of an archive for at most `tries` attempts. */
  const print = ({ id }: { id: number }, tries: number) =>
    portal.sql(`select from graphile_worker.add_job('make_pdf_archive', json_build_object('id', ${id}), max_attempts => ${tries})`)
  return { meet, archive, read, shown, ready, abandoned, print }
}
