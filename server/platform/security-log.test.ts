import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import pino from 'pino'
import { Refusal, type RefusalCode } from './errors/refusal.ts'
import { openSecurityLog } from './security-log.ts'

test('lines left out at the end of a burst are reported a second later, and at the latest when the log closes', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 5000
  t.mock.method(performance, 'now', () => now)
  const written: Record<string, unknown>[] = []
  const sink = pino({ base: null }, { write: (line: string) => void written.push(JSON.parse(line)) })
  const security = openSecurityLog(sink, 'key', new Map())
  const request = (ip: string) => ({ id: 'id', method: 'POST', routeOptions: { config: {} }, ip }) as unknown as FastifyRequest
  const refuse = (code: RefusalCode, ip: string) => security.noteRefusal(new Refusal(code), request(ip))
  const reports = () => written.splice(0).flatMap(({ event, of, network, count }) => (event === 'left_out' ? [[of, network, count]] : []))
  const pass = (ms: number) => {
    now += ms
    t.mock.timers.tick(ms)
  }
  for (let n = 0; n < 15; n++) refuse('foreign_origin', '192.0.2.1')
  assert.deepEqual(reports(), [])
  pass(1000)
  assert.deepEqual(reports(), [['foreign_origin', '192.0.2.1', 5]])
  pass(1000)
  for (let n = 0; n < 13; n++) refuse('foreign_origin', '192.0.2.1')
  security.close()
  assert.deepEqual(reports(), [['foreign_origin', '192.0.2.1', 3]])
  for (let n = 0; n < 300; n++) refuse('foreign_origin', `198.51.100.${n % 100}`)
  const noted = written.splice(0).length
  security.close()
  assert.deepEqual(reports(), [['foreign_origin', undefined, 300 - noted]])
  pass(5000)
  assert.deepEqual(reports(), [])
})
