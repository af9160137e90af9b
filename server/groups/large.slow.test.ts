import './large.test.ts'
