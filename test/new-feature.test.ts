/** Checks the files that `npm run new-feature` writes; new-feature.slow.test.ts checks that they work. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { planFeature } from '../tools/feature.ts'
import { importsIn } from './graph.ts'

const root = join(import.meta.dirname, '..')

test('a feature gets its files, and its lines in every list', () => {
  const files = planFeature(root, 'meeting-rooms')
  assert.ok(Object.keys(files).some((file) => /^server\/migrations\/\d{4}_meeting_rooms\.sql$/.test(file)))
  assert.match(files['server/work/meeting-rooms/routes.ts']!, /createMeetingRoom = command\('POST \/meeting-rooms'/)
  assert.match(files['server/lists/changes.ts']!, /\n {2}\.\.\.meetingRoomChanges,\n/)
  assert.match(files['server/record/webhooks/kinds.ts']!, /\n {2}\.\.\.\['meeting_room\.created', /)
  assert.equal(files['web/parts/show/log/texts.ts']!.match(/\n {4}meeting_room: 'meeting room',/g)?.length, 2)
  for (const [file, text] of Object.entries(files)) assert.doesNotMatch(text, /some[-_ ]thing|[sS]omeThing/, file)
})

test('every file that a feature imports exists', () => {
  const files = planFeature(root, 'meeting-rooms')
  const imports = Object.entries(files).flatMap(([file, text]) => (file.endsWith('.ts') ? importsIn(file, text) : []))
  const missing = imports.filter(({ to }) => to.endsWith('.ts') && !(to in files) && !existsSync(join(root, to)))
  assert.deepEqual(missing, [])
  assert.ok(imports.some(({ from, to }) => from === 'server/work/meeting-rooms/queries.ts' && to === 'server/platform/errors/refusal.ts'))
})

test('the singular follows from the name unless it is given', () => {
  const kindOf = (name: string, singular?: string) =>
    /'(\w+)\.created'/.exec(planFeature(root, name, singular)[`server/work/${name}/changes.ts`]!)![1]
  const names = ['announcements', 'policies', 'boxes', 'branches', 'statuses']
  assert.deepEqual(
    names.map((name) => kindOf(name)),
    ['announcement', 'policy', 'box', 'branch', 'status'],
  )
  assert.equal(kindOf('houses', 'house'), 'house')
})

test('the article matches the name', () => {
  assert.match(planFeature(root, 'announcements')['server/work/announcements/routes.ts']!, /'Create an announcement'/)
  assert.match(planFeature(root, 'polls')['server/work/polls/routes.ts']!, /'Create a poll'/)
})

for (const [name, line] of [
  ['', /^npm run new-feature NAME/],
  ['Announcements', /^a name is/],
  ['../polls', /^a name is/],
  ['sheep', /^a name is a plural/],
  ['orders', /^server\/work\/orders is there already\n$/],
  ['sessions', /^there is a table sessions already\n$/],
] as [string, RegExp][])
  test(`the name "${name}" is refused with one line`, () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, ['tools/new-feature.ts', ...(name ? [name] : [])], {
      cwd: root,
      encoding: 'utf8',
    })
    assert.deepEqual([status, stdout, stderr.split('\n').length], [1, '', 2])
    assert.match(stderr, line)
  })
