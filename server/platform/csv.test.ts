import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvChunks, guardCell } from './csv.ts'

const dangerous = [
  '=1+1',
  '+1',
  '-1',
  '@a',
  '＝1',
  '＋1',
  '－1',
  '＠a',
  '\ta',
  '\ra',
  ' =1',
  '\u200b=1',
  '\u202e=1',
  '\u00ad=1',
  '\ufe0f=1',
  '\n=1',
  '\u0000=1',
  '  \t',
]
for (const text of dangerous) test(`${JSON.stringify(text)} cannot become a formula`, () => assert.equal(guardCell(text), `'${text}`))
for (const text of ['', 'a', 'a=1', '1-1', "'=1", 'أحمد', ' a', '.=1'])
  test(`${JSON.stringify(text)} stays as it is`, () => assert.equal(guardCell(text), text))

async function* pages(...all: string[][][]) {
  yield* all
}

test('a file consists of the byte-order mark, the column names and the pages as they arrive; an empty page adds nothing', async () => {
  const chunks = await Array.fromAsync(
    csvChunks(
      ['a', 'b'],
      pages(
        [['1', '2']],
        [],
        [
          ['3', '4'],
          ['5', '6'],
        ],
      ),
    ),
  )
  assert.deepEqual(chunks, ['\ufeffa,b\n', '1,2\n', '3,4\n5,6\n'])
})

test('cells that could end a cell or a row are quoted, and possible formulas are guarded', async () => {
  const [, rows] = await Array.fromAsync(csvChunks(['a'], pages([['x,y', 'x"y', 'x\ny', 'x\ry', '=x', 'x']])))
  assert.equal(rows, '"x,y","x""y","x\ny","x\ry",\'=x,x\n')
})
