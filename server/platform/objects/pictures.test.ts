import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pictureType } from './pictures.ts'

const kinds: [contentType: string | undefined, beginning: string][] = [
  ['image/png', '\x89PNG\r\n\x1a\n....'],
  ['image/jpeg', '\xff\xd8\xff\xe0........'],
  ['image/gif', 'GIF89a......'],
  ['image/bmp', 'BM..........'],
  ['image/webp', 'RIFF....WEBP'],
  ['image/avif', '....ftypavif'],
  [undefined, 'RIFF....WAVE'],
  [undefined, '<svg xmlns="'],
  [undefined, '<!doctype ht'],
  [undefined, ''],
]
for (const [contentType, beginning] of kinds)
  test(`${JSON.stringify(beginning)} begins ${contentType ?? 'no picture'}`, () =>
    assert.equal(pictureType(Buffer.from(beginning, 'latin1')), contentType))
