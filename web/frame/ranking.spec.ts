import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding } from './palette.ts'
import { shelve } from './ranking.ts'

const finding = (id: string, group: Finding['group'], text: string, more: Partial<Finding> = {}): Finding => ({ id, group, text, ...more })
const none = () => false
const names = (all: Finding[], typed: string, recent: string[] = []) =>
  shelve(all, typed, recent, none).map(({ name, findings }) => `${name}: ${findings.map(({ id }) => id).join(' ')}`)

test('acts and pages come before closed orders, even if an order fits better', () => {
  const all = [finding('old', 'past', 'طلب'), finding('mine', 'pages', 'طلباتي'), finding('new', 'acts', 'كل الطلبات')]
  assert.deepEqual(names(all, 'طلب'), ['pages: mine', 'acts: new', 'past: old'])
})

test('while nothing is typed, recently opened findings come first and are not repeated', () => {
  const all = [finding('a', 'apps', 'A'), finding('b', 'apps', 'B'), finding('dark', 'acts', 'Dark', { isTyped: true })]
  assert.deepEqual(names(all, '', ['dark', 'gone', 'b']), ['recent: dark b', 'apps: a'])
})

test('groups are ordered by their best finding', () => {
  const all = [finding('x', 'pages', 'The news'), finding('y', 'apps', 'News')]
  assert.deepEqual(names(all, 'news'), ['apps: y', 'pages: x'])
})
