/** The queue of a whole run, taken from by several processes at once. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { leftIn, listOf, MOST_FILES } from './queue.ts'

const queue = import.meta.resolve('./queue.ts')

/** Runs files, given by their texts, in processes of one queue; returns what was printed and the exit code. */
async function runAll(texts: readonly string[], processes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'bawaba-queue-'))
  try {
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const files = texts.map((text, index) => write(`file-${index}.mjs`, text.replaceAll('RAN', JSON.stringify(join(folder, 'ran')))))
    writeFileSync(listOf(folder), JSON.stringify(files))
    write('ran', '')
    const take = `const { runQueue } = await import(${JSON.stringify(queue)})\nawait runQueue(${JSON.stringify(folder)})\n`
    const programs = Array.from({ length: processes }, (_, index) => write(`${index}.test.mjs`, take))
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const running = spawn(process.execPath, ['--test', '--test-reporter=spec', ...programs], { env })
    let printed = ''
    running.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
    const [code] = await once(running, 'close')
    return { code, printed, left: leftIn(folder).length, ran: readFileSync(join(folder, 'ran'), 'utf8').trim().split('\n') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const noting = (name: string) => `import { after, test } from 'node:test'
import { appendFileSync } from 'node:fs'
after(() => appendFileSync(RAN, '${name} is cleared away\\n'))
test('${name}', () => appendFileSync(RAN, '${name}\\n'))`
const names = Array.from({ length: MOST_FILES + 2 }, (_, index) => `number ${index}`)

test('every file of the queue is run once, whichever process takes it, and each has cleared away before the next begins', async () => {
  const { code, left, ran } = await runAll(names.map(noting), 1)
  assert.deepEqual([code, left], [0, 2])
  assert.deepEqual(
    ran,
    names.slice(0, MOST_FILES).flatMap((name) => [name, `${name} is cleared away`]),
    'one process takes no more than it may',
  )
  const shared = await runAll(names.map(noting), 3)
  assert.deepEqual([shared.code, shared.left], [0, 0])
  assert.deepEqual(shared.ran.toSorted(), names.flatMap((name) => [name, `${name} is cleared away`]).toSorted())
})

test('a file that cannot be loaded, and one whose test fails, fail the run by their names; the others are run', async () => {
  const failing = `import { test } from 'node:test'\ntest('it fails', () => { throw new Error('as it should') })`
  const { code, printed, ran } = await runAll([`import './nowhere.mjs'`, failing, noting('the last')], 1)
  assert.equal(code, 1)
  assert.match(printed, /✖ .*file-0\.mjs/)
  assert.match(printed, /✖ .*file-1\.mjs/)
  assert.deepEqual(ran, ['the last', 'the last is cleared away'])
})
