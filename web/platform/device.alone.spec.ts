import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'

test('portals below different paths of one host keep their data apart', async () => {
  localStorage.setItem('person', '5')
  localStorage.setItem('draft:5:note:new', '"of the portal at the root"')
  Object.assign(document, { baseURI: 'http://portal.test/b/' })
  const { ours, setting } = await import('./device.ts')
  assert.equal(setting.read('person'), null)
  setting.write('person', '7')
  assert.deepEqual([setting.read('person'), localStorage.getItem('person'), localStorage.getItem(ours('person'))], ['7', '5', '7'])
  setting.write('draft:7:note:new', '"typed"')
  assert.deepEqual(setting.names('draft:'), ['draft:7:note:new'])
})
