/** The limits that keep one person's large days from delaying the PDFs of other people. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ARCHIVES, archiving, newDay } from '../../../../test/archives.ts'
import { makers } from '../../../../test/makers.ts'
import { MEETINGS } from '../../../../test/meetings.ts'
import { objectStore } from '../../../../test/object-stores.ts'
import { testPortal, until } from '../../../../test/portal.ts'
import { slowTest } from '../../../../test/suite.ts'

const portal = testPortal(objectStore('folder'))
const make = makers(portal)
const { meet, archive, shown, ready } = archiving(portal)

const newOffice = async (fontSize: number) => {
  const person = await make.newPerson({ roles: ['executive_coordinator'] })
  const { status } = await person.put(`${MEETINGS}/font-settings`, { fontSize })
  assert.equal(status, 200)
  return person
}
const crowd = (letters: number) => Array.from({ length: 200 }, () => ({ name: 'W'.repeat(letters) }))

test('a day with more text than a PDF may have is refused, and nothing is stored', async () => {
  const person = await newOffice(48)
  const date = newDay()
  for (let n = 0; n < 3; n++) await meet(date, { notes: 'W'.repeat(5000), attendees: crowd(200) })
  const { status, body } = await person.post(ARCHIVES, { date, language: 'en' })
  assert.deepEqual([status, body.code, body.fontSize], [400, 'too_much_to_print', 48])
  assert.deepEqual((await person.get(`${MEETINGS}/unprintable?date=${date}&language=en`)).body, body)
  const at = async (fontSize: number) => {
    await person.put(`${MEETINGS}/font-settings`, { fontSize })
    return (await person.post(ARCHIVES, { date, language: 'en' })).status
  }
  assert.deepEqual((await person.get(`${ARCHIVES}?from=${date}&to=${date}`)).body, [])
  assert.deepEqual([await at(body.largestFontSize + 1), await at(body.largestFontSize)], [400, 201])
})

slowTest('words of 5,000 letters are broken and printed', async () => {
  const person = await newOffice(48)
  const date = newDay()
  for (let n = 0; n < 3; n++) await meet(date, { notes: 'W'.repeat(5000) })
  await ready(await archive(date, { by: person }))
})

slowTest('many long PDFs of one person do not delay a later PDF of another person', async () => {
  const [busy, other] = [await newOffice(24), await newOffice(13)]
  const [long, short] = [newDay(), newDay()]
  await meet(long, { attendees: crowd(120) })
  await meet(short)
  const theirs: Awaited<ReturnType<typeof archive>>[] = []
  for (let n = 0; n < 3; n++) theirs.push(await archive(long, { by: busy }))
  const isReady = async (one: { id: number }) => (await shown(one)).status === 'ready'
  await ready(await archive(short, { by: other }))
  assert.equal(await isReady(theirs.at(-1)!), false)
  await until('all are made', async () => (await Promise.all(theirs.map(isReady))).every(Boolean))
})
