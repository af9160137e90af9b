/** A reporter that names the first test that fails, and ends the process there. */

import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import type { TestEvent } from 'node:test/reporters'

export default new Writable({
  objectMode: true,
  write({ type, data }: TestEvent, _encoding, done) {
    if (type === 'test:fail') {
      writeSync(1, `${data.name}: ${(data.details.error.cause as Error | undefined)?.message ?? data.details.error.message}\n`)
      process.exit(1)
    }
    done()
  },
})
