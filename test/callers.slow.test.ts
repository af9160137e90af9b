import './callers.test.ts'
