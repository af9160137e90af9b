import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, brokenUnique, connectionsOf, isTransient, isUnavailable, poolSize } from './db.ts'

const failing = (code: unknown, message = 'x') => Object.assign(new Error(message), { code })

test('a database is away when it cannot be reached, gives no connection, or answers too late', () => {
  for (const code of `ECONNREFUSED ECONNRESET ENOENT ENOTFOUND EPIPE ETIMEDOUT EAI_AGAIN 08006 08P01 57P01 57P03 57014 53300`.split(' '))
    assert.equal(isUnavailable(failing(code)), true, code)
  for (const message of [
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool: Client was closed and is not queryable',
  ])
    assert.equal(isUnavailable(new Error(message)), true, message)
})

test('no other failure is taken for that', () => {
  for (const code of ['23505', '40P01', 'ENOENTX', 'XECONN', '5701', '570141', 7, undefined])
    assert.equal(isUnavailable(failing(code)), false, String(code))
  for (const error of [new Error('a Query read timeout'), 'Query read timeout', null, undefined, {}])
    assert.equal(isUnavailable(error), false)
})

test('a deadlock and a failed serialisation may be tried again', () => {
  const codes = ['40P01', '40001', '40002', '23505', undefined]
  assert.deepEqual(
    codes.map((code) => isTransient(failing(code))),
    [true, true, false, false, false],
  )
  assert.equal(isTransient(null), false)
})

test('a unique constraint that was broken is named', () => {
  assert.equal(brokenUnique(Object.assign(failing('23505'), { constraint: 'name_taken' })), 'name_taken')
  assert.equal(brokenUnique(Object.assign(failing('23503'), { constraint: 'name_taken' })), undefined)
})

test('processes share some twenty connections of each kind, two at least and ten at most', () => {
  assert.deepEqual([1, 2, 3, 4, 10, 11, 64].map(poolSize), [10, 10, 6, 5, 2, 2, 2])
  assert.deepEqual([1, 4, 20, 64].map(connectionsOf), [200, 200, 260, 788])
})

test('a connection has an address, whatever its password holds', () => {
  const connection = { host: '/tmp/a b', port: 5432, user: 'ö', password: 'p/@:', database: 'x' }
  assert.equal(addressOf(connection), 'postgres://%C3%B6:p%2F%40%3A@localhost:5432/x?host=%2Ftmp%2Fa%20b')
  assert.equal(addressOf({ connectionString: 'postgres://x' }), 'postgres://x')
})
