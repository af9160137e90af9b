/** Opens the CSV files in LibreOffice, and compares the cells that LibreOffice reads from them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { makers } from './makers.ts'
import { testPortal } from './portal.ts'
import { needing } from './programs.ts'

const portal = testPortal()
const make = makers(portal)
const run = promisify(execFile)

const COMMA = 44
const SEMICOLON = 59
const QUOTE = 34
const UTF_8 = 76

/** The cells of a CSV file as the program shows them, with formulas evaluated. */
async function openInSpreadsheet(bytes: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'bawaba-sheet-'))
  try {
    await writeFile(join(folder, 'opened.csv'), bytes)
    const reads = `--infilter=CSV:${COMMA},${QUOTE},${UTF_8}`
    const writes = `txt:Text - txt - csv (StarCalc):${SEMICOLON},${QUOTE},${UTF_8}`
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`
    await run('soffice', [profile, '--headless', reads, '--convert-to', writes, '--outdir', folder, join(folder, 'opened.csv')])
    const text = await readFile(join(folder, 'opened.txt'))
    return parse(text, { bom: true, delimiter: ';' }) as string[][]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function download(path: string) {
  const response = await fetch(`${portal.base}/api${path}`, { headers: { cookie: portal.admin.cookie } })
  assert.equal(response.status, 200)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { bytes, cells: parse(bytes, { bom: true }) as string[][] }
}

const names = [
  'مكتب الرئيس التنفيذي',
  'إدارة «الموارد، البشرية»',
  'لجنة\nالتخطيط',
  '=1+1',
  '＝HYPERLINK("x")',
  '+966 11 000 0000',
  '@SUM(1)',
  'A "quoted", name',
]

describe('in a spreadsheet program', needing('soffice'), () => {
  test('the audit log opens with its Arabic intact, one row per change, and no formula evaluated', async () => {
    for (const [index, descriptionAr] of names.entries())
      await portal.admin.post('/groups', { name: `مجموعة ${index}`, descriptionAr, descriptionEn: descriptionAr })
    await portal.sql(
      `insert into ledger (kind, target_type, target_id, actor_id, actor_username, action, facts)
     select 'test.named', name, 1, 900000 + n, name, name, jsonb_build_object('=1+1', name)
     from unnest($1::text[]) with ordinality as given (name, n)`,
      [names],
    )
    const { bytes, cells } = await download('/admin/audit-logs/export')
    assert.deepEqual(await openInSpreadsheet(bytes), cells)
    assert.ok(cells.flat().some((cell) => cell.includes('مكتب الرئيس التنفيذي')))
    assert.ok(cells.flat().includes("'=1+1"))
  })

  test('the history of a role opens with exactly the cells of its file', async () => {
    const role = await make.newRole(['portal.it', 'portal.hr'])
    const author = await portal.person('مدير.النظام', { roles: ['admin'] })
    await author.put(`/roles/${role.id}/permissions`, { permissionIds: await make.idsOfPermissions('portal.finance') })
    const { bytes, cells } = await download(`/roles/${role.id}/audit.csv`)
    assert.deepEqual(await openInSpreadsheet(bytes), cells)
    assert.deepEqual(cells[1]!.slice(1), ['مدير.النظام', 'portal.finance', 'portal.it; portal.hr'])
  })
})
