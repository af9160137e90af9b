/** The calls that change an app. */
import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers } from '../../../testing/outside.ts'
import { changeApp, oneApp } from './data.ts'

test('the version after a save is that of its answer, even if somebody else saves right after it', async () => {
  const app = (nameEn: string, version: string) => answers.set('/apps/7', { body: { id: 7, nameEn }, version })
  app('Former', '"0"')
  await oneApp(7).load()
  app('Mine', '"1"')
  const { fetch } = globalThis
  globalThis.fetch = async (address, init) => {
    const response = await fetch(address, init)
    if (init?.method === 'PATCH') app('Theirs', '"2"')
    return response
  }
  const { from, version } = await changeApp(7, { nameEn: 'Mine' }, oneApp(7).version)
  globalThis.fetch = fetch
  assert.deepEqual([from.nameEn, version], ['Mine', '"1"'])
})
