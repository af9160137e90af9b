/** A feature from `npm run new-feature` passes every check, its own tests, and those that try every feature. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { scratch } from './scratch.ts'

const root = join(import.meta.dirname, '..')
const copy = mkdtempSync(join(scratch, 'bawaba-feature-'))
after(() => rmSync(copy, { recursive: true }))

/** Copies the project without stored data. Packages are linked, but not the compilers' caches, which belong to the original folder. */
function copyProject() {
  const left = /^(node_modules|client\/node_modules|data.*|web\/dist|\.git)$/
  cpSync(root, copy, { recursive: true, filter: (file) => !left.test(file.slice(root.length + 1)) })
  for (const folder of ['node_modules', 'client/node_modules']) {
    mkdirSync(join(copy, folder))
    for (const name of readdirSync(join(root, folder)).filter((name) => name !== '.cache'))
      symlinkSync(join(root, folder, name), join(copy, folder, name))
  }
}

function run(command: string) {
  // The copy uses neither this test's runner nor its database.
  const { NODE_TEST_CONTEXT: _, DATABASE_URL: __, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(command, { cwd: copy, env, shell: true, encoding: 'utf8' })
  assert.equal(status, 0, `${command}\n${stdout}${stderr}`)
}

test('a new feature passes every check, its own tests, and those that try every feature', () => {
  copyProject()
  run('npm run -s new-feature meeting-rooms')
  run('npm run -s check')
  const shared = [
    ...['architecture', 'locks.slow', 'api', 'changes', 'scopes', 'event-shapes', 'deletion-hooks', 'sweep', 'document', 'etags', 'parts'],
    'names',
  ]
  const others = ['server/record/webhooks/kinds.test.ts', 'web/parts/show/log/*.spec.ts']
  const files = ['server/work/meeting-rooms/*.test.ts', ...others, ...shared.map((name) => `test/${name}.test.ts`)]
  // The test runner reports nothing for a name that matches no file.
  for (const file of files) assert.notDeepEqual(globSync(file, { cwd: copy }), [], file)
  run(`npm run -s test:files -- ${files.join(' ')}`)
})
