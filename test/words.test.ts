/** The texts that people read have one word for each thing, and one spelling for each word. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const places = [
  'web/**/*texts*.ts',
  'web/{parts/show/{log/{fields,sentences*},provider-failures},desks/admin/shared/health/sentences}.ts',
  'server/{lists/notices,platform/errors}/*.ts',
  'server/identity/accounts/mail.ts',
]
const files = globSync(places, { cwd: root }).filter((file) => !/\.(test|spec)\.ts$/.test(file))

/** Wordings that no text may have, each with the wording to use instead. */
const words: [RegExp, string][] = [
  [/\be-mail/i, 'email'],
  [/\bplease\b(?! look at what is marked)/i, 'the request alone'],
  [/'(All )?[Ss]tates?'|\bState of\b/, 'Status'],
  [/\b(claimed|completed|done|received)\b.* in time\b/i, 'on time'],
  [/يُرجى|من فضلك/, 'الأمر وحده'],
  [/من تلقائه/, 'من تلقاء نفسه'],
  [/ستعمل|ستُعمل|ستعمال/, 'استخدم'],
  [/محرف|محارف/, 'حرف، أحرف'],
  [/حساب(ات|ًا|ان)? (نشط|موقوف)|مدير نشط/, 'مفعّل، معطّل'],
  [/مسؤول[وي] البوابة/, 'المديرون'],
  [/أعِد/, 'أعد'],
  [/(?<!ق)سرًا|صفًا|'تمّ'/, 'سرًّا، صفًّا، تم'],
  [/\u0627\u064b/, 'the mark before its alif'],
  [/# [\p{L}\p{M}]+\u064b\u0627 (?:لم )?ت(?!نقصه)/u, 'a verb in the singular and the gender of the noun'],
]
for (const [word, instead] of words)
  test(`no text has ${word}; instead: ${instead}`, () => {
    assert.ok(files.length > 130)
    const lines = files.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, n) => (word.test(line) && !/^\s*(\*|\/[/*])/.test(line) ? [`${file}:${n + 1} ${line.trim()}`] : [])),
    )
    assert.deepEqual(lines, [])
  })
