/** Previews of the printed page. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { archiving, fileOf, newDay } from '../../../../test/archives.ts'
import { makers, silence } from '../../../../test/makers.ts'
import { MEETINGS } from '../../../../test/meetings.ts'
import { likeness, readPicture, render, renderPicture } from '../../../../test/pdf.ts'
import { type Client, testPortal, until } from '../../../../test/portal.ts'
import { recordRefusal } from '../../../../test/provoked.ts'
import { day, meeting } from '../../../../test/schedules.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { previewPage } from './printing.ts'
import type { Typeset } from './typesetting.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { meet, archive, read, ready } = archiving(portal)
const PATH = `${MEETINGS}/schedule-preview`
const executive = (role: string) => newPerson({ roles: [`executive_${role}`] })

interface Preview {
  page: number
  pages: number
  svg: string
}
/** Asks for a preview until it succeeds: on a busy machine, one may take longer than its limit. */
const preview = (body: object, who: Client = portal.admin) =>
  until('a preview', async () => {
    const { status, body: answer, text } = await who.send('POST', PATH, { language: 'en', ...body }, { accept: 'application/json' })
    if (status === 503) return null
    assert.equal(status, 200, text)
    return answer as Preview
  })

const notes = Array.from({ length: 30 }, (_, n) => `Line ${n}`).join('\n')
async function busyDay(meetings: number) {
  const date = newDay()
  for (let n = 0; n < meetings; n++)
    await meet(date, {
      titleEn: `Budget ${n}`,
      notes,
      isHighlighted: n % 2 === 0,
      attendees: [{ name: 'خالد العتيبي', title: 'Director' }],
    })
  return date
}

for (const language of ['ar', 'en'] as const)
  test(`each preview equals the printed page in ${language}`, async () => {
    const date = await busyDay(4)
    const pdf = (await read(fileOf(await ready(await archive(date, { language }))))).bytes
    const { pages } = await preview({ date, language })
    assert.ok(pages > 1)
    for (let page = 1; page <= pages; page++) {
      const shown = await preview({ date, language, page })
      assert.deepEqual([shown.page, shown.pages], [page, pages])
      const paper = await renderPicture(shown.svg)
      assert.ok(paper.inkIn({ left: 0, top: 0, right: 595, bottom: 842 }).length > 1000)
      assert.ok(likeness(paper, await render(pdf, page)) > 0.9)
      if (page > 1) assert.ok(likeness(paper, await render(pdf, 1)) < 0.6)
    }
  })

test('asking for a page after the last returns the last', async () => {
  const date = await busyDay(3)
  const { pages } = await preview({ date })
  assert.deepEqual(await preview({ date, page: 10_000 }), await preview({ date, page: pages }))
})

test('settings in the body override those in force, and nothing is stored', async () => {
  const date = await busyDay(2)
  const who = await executive('viewer')
  await who.put(`${MEETINGS}/font-settings`, { fontFamily: 'Cairo', fontSize: 12 })
  const traces = await portal.traces(async () => {
    const inForce = await preview({ date }, who)
    assert.deepEqual(await preview({ date, settings: {} }, who), inForce)
    assert.deepEqual(
      await preview({ date, settings: { fontFamily: 'Cairo', fontSize: 12, fontWeight: 400, alignment: 'start' } }, who),
      inForce,
    )
    const amiri = await preview({ date, settings: { fontFamily: 'Amiri' } }, who)
    assert.notEqual(amiri.svg, inForce.svg)
    assert.deepEqual(await preview({ date, settings: { fontFamily: 'My Face' } }, who), amiri)
    assert.ok((await preview({ date, settings: { fontSize: 40 } }, who)).pages > inForce.pages)
  })
  assert.deepEqual(traces, silence)
  assert.deepEqual(await portal.sql('select from pdf_archives where date = $1', [date]), [])
})

test('the picture contains nothing but shapes', async () => {
  const date = newDay()
  await meet(date, { titleEn: '<script>alert(1)</script> "&', meetingUrl: 'https://meet.example.org/j/7', notes: ']]> #read("x")' })
  const { svg } = await preview({ date })
  const names = new Set(Array.from(svg.matchAll(/<(\w+)/g), ([, name]) => name))
  assert.deepEqual(
    [...names].filter((name) => !['svg', 'rect', 'g', 'path', 'use', 'defs', 'clipPath'].includes(name!)),
    [],
  )
  for (const [, address] of svg.matchAll(/href="([^"]*)"/g)) assert.match(address!, /^#/)
})

/** A page in the format that `accept` names. */
const previewAs = (accept: string | undefined, body: object) =>
  until('a preview', async () => {
    const answer = await fetch(`${portal.base}/api${PATH}`, {
      method: 'POST',
      headers: { cookie: portal.admin.cookie, 'content-type': 'application/json', ...(accept !== undefined && { accept }) },
      body: JSON.stringify({ language: 'en', ...body }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return answer.status === 503
      ? null
      : { status: answer.status, type: answer.headers.get('content-type'), headers: answer.headers, bytes }
  })

test('a page is a PNG or a PDF of the same page, as `Accept` asks', async () => {
  const date = await busyDay(6)
  const second = { date, page: 2 }
  const { svg, pages } = await preview(second)
  assert.ok(pages > 1)
  const [png, pdf] = [await previewAs('image/png', second), await previewAs('application/pdf;q=0.9, image/png;q=0.2', second)]
  assert.deepEqual([png.status, png.type, pdf.status, pdf.type], [200, 'image/png', 200, 'application/pdf'])
  assert.equal(png.headers.get('content-disposition'), `inline; filename="schedule-${date}.png"`)
  assert.equal(png.headers.get('vary'), 'Accept')
  const drawn = await renderPicture(svg)
  assert.ok(likeness(await render(pdf.bytes), drawn) > 0.9)
  assert.ok(likeness(await readPicture(png.bytes, 144), await render(pdf.bytes, 1, 144)) > 0.9)
})

test('without a preference a page is a PNG, and an unavailable format is refused', async () => {
  const date = await busyDay(1)
  for (const accept of [undefined, '*/*', 'image/*', 'text/html, */*;q=0.1'])
    assert.equal((await previewAs(accept, { date })).type, 'image/png')
  assert.equal((await previewAs('application/*;q=0.5, application/json;q=0', { date })).type, 'application/pdf')
  const { status, bytes } = await previewAs('text/html, image/png;q=0', { date })
  const { code, messageEn } = JSON.parse(String(bytes))
  assert.deepEqual([status, code], [406, 'not_acceptable'])
  recordRefusal('POST', PATH, code)
  assert.equal(messageEn, 'This is available only as image/png or application/pdf or application/json.')
})

test('a day with more text than a PDF holds is refused', async () => {
  const date = newDay()
  for (let n = 0; n < 9; n++) await meet(date, { notes: 'x'.repeat(5000) })
  const { status, body } = await portal.admin.post(PATH, { date, language: 'ar', settings: { fontSize: 48 } })
  assert.deepEqual([status, body.code], [400, 'too_much_to_print'])
})

test('everyone with executive access may preview, and nobody else', async () => {
  const date = newDay()
  for (const role of ['ceo', 'office_manager', 'viewer']) await preview({ date }, await executive(role))
  assert.equal((await (await newPerson()).post(PATH, { date, language: 'en' })).status, 403)
  assert.equal((await portal.stranger().post(PATH, { date, language: 'en' })).status, 401)
})

const wrong: [body: object, path: string][] = [
  [{ date: '2031-02-30' }, 'date'],
  [{ date: undefined }, 'date'],
  [{ language: 'fr' }, 'language'],
  [{ page: 0 }, 'page'],
  [{ page: 1.5 }, 'page'],
  [{ page: 10_001 }, 'page'],
  [{ settings: { fontSize: 49 } }, 'settings.fontSize'],
  [{ settings: { fontFamily: '' } }, 'settings.fontFamily'],
  [{ settings: [] }, 'settings'],
]
for (const [body, path] of wrong)
  test(`previewing ${JSON.stringify(body)} is refused`, async () => {
    const { status, body: answer } = await portal.admin.post(PATH, { date: '2031-02-03', language: 'en', ...body })
    assert.deepEqual([status, answer.details?.map((detail: { path: string }) => detail.path)], [400, [path]])
  })

describe('the queue for previews', () => {
  const content = day('en', [meeting()])
  const made: Typeset = { pieces: [Buffer.from('{"page":1,"pages":1,"svg":""}')], size: 0, sha256: '' }
  /** A typesetter that works until the test ends its work, and the people for whom it began. */
  function slowTypesetter() {
    const working: ((typeset: Typeset | undefined) => void)[] = []
    const begun: number[] = []
    const ask = (who: number, isGone = () => false) =>
      previewPage({ content, page: 1, userId: who, isGone }, () => {
        begun.push(who)
        return new Promise((end) => void working.push(end))
      })
    const begin = (count: number) => until('they work', async () => working.length === count)
    return { ask, begun, begin, end: (typeset: Typeset | undefined) => working.shift()!(typeset) }
  }

  test('the pages of one person are made one after another, and pages of two people at the same time', async () => {
    const { ask, begun, begin, end } = slowTypesetter()
    const all = Promise.all([ask(-1), ask(-1), ask(-2), ask(-3)])
    await begin(2)
    assert.deepEqual(begun, [-1, -2])
    for (const left of [2, 2, 1]) {
      end(made)
      await begin(left)
    }
    end(made)
    await all
    assert.deepEqual(begun.toSorted(), [-1, -1, -2, -3])
  })

  test('no page is made for a caller who has disconnected, and the next ones in the queue get their turn', async () => {
    const { ask, begun, begin, end } = slowTypesetter()
    const first = ask(-1)
    await begin(1)
    const gone = assert.rejects(
      ask(-1, () => true),
      Refusal,
    )
    const third = ask(-1)
    end(made)
    await Promise.all([first, gone])
    await begin(1)
    assert.deepEqual(begun, [-1, -1])
    end(made)
    await third
  })

  test('a caller who gets no turn in time, or whose page takes too long, is refused with Retry-After', async () => {
    const { ask, begin, end } = slowTypesetter()
    const who = await executive('viewer')
    const late = assert.rejects(
      ask(who.id),
      (error) => error instanceof Refusal && error.code === 'unavailable' && error.extras.retryAfter === 2,
    )
    await begin(1)
    const { status, body, headers } = await who.post(PATH, { date: '2031-02-03', language: 'en' })
    assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'unavailable', '2'])
    end(undefined)
    await late
  })
})
