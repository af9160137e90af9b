import './races.test.ts'
