import './impact.test.ts'
