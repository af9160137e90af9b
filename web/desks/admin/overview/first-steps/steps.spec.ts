import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesIn } from './addresses.ts'
import { isDone, steps } from './rules.ts'

test('addresses in a pasted text are found, without duplicates', () => {
  assert.deepEqual(addressesIn('Sara <sara@example.org>, omar@example.org\nSARA@example.org؛ not-an-address'), [
    'SARA@example.org',
    'omar@example.org',
  ])
  assert.deepEqual(addressesIn('(sara@example.org), [mailto:omar@example.org]. Or lina@example.org.'), [
    'sara@example.org',
    'omar@example.org',
    'lina@example.org',
  ])
  assert.deepEqual(addressesIn(''), [])
})

test('a step is done once its records exist', () => {
  const empty = { siteNameAr: 'بوابة', siteNameEn: 'Bawaba', apps: 0, services: 0, groups: 0, people: 1 }
  const done = (now: typeof empty) => steps.filter((step) => isDone(step, now))
  assert.deepEqual(done(empty), [])
  assert.deepEqual(done({ ...empty, siteNameEn: 'Al-Noor', people: 2 }), ['name', 'people'])
  assert.deepEqual(done({ siteNameAr: 'النور', siteNameEn: 'Al-Noor', apps: 1, services: 1, groups: 1, people: 2 }), [...steps])
})
