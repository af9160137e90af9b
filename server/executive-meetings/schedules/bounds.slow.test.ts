import './bounds.test.ts'
