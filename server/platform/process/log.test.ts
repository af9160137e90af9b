import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const MODULE = JSON.stringify(new URL('log.ts', import.meta.url).href)

/** Starts a process that opens the log, runs `work` with it and closes it. */
function start(work: string) {
  const script = `import { openLog } from ${MODULE}; const { log, close } = openLog('info', { name: 'tried' }); ${work}; await close()`
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
}
async function printed(work: string) {
  const child = start(work)
  const [out] = await Promise.all([text(child.stdout), once(child, 'close')])
  return out
}

test('an error is logged with its type, message, codes and stack, but without `detail`, which quotes rows', async () => {
  const error = `Object.assign(new TypeError('wrong'), { code: '23505', table: 'some', constraint: 'some_key', detail: 'hunter2' })`
  const [line, other] = (await printed(`log.info({ err: ${error} }, 'an error'); log.info({ err: 'a text' }, 'no error')`))
    .trim()
    .split('\n')
  const { level, time, name, msg, err } = JSON.parse(line!)
  assert.deepEqual([level, name, msg, new Date(time).toISOString()], [30, 'tried', 'an error', time])
  const { stack, ...rest } = err
  assert.deepEqual(rest, { type: 'TypeError', message: 'wrong', code: '23505', table: 'some', constraint: 'some_key' })
  assert.match(stack, /^TypeError: wrong\n {4}at /)
  assert.equal(JSON.parse(other!).err, 'a text')
})

test('without a reader, four mebibytes of lines are kept and the rest is dropped', async () => {
  const out = await printed(`for (let count = 0; count < 6000; count++) log.info('x'.repeat(1000))`)
  const [length, most] = [out.indexOf('\n') + 1, 4 * 1024 * 1024]
  assert.ok(out.length <= most && out.length > most - 2 * length, String(out.length))
})

test('a reader that hangs does not delay the exit', async () => {
  const child = start(`for (let count = 0; count < 1000; count++) log.info('x'.repeat(1000)); await close(); process.exit()`)
  assert.deepEqual(await once(child, 'exit'), [0, null])
  child.stdout.destroy()
})
