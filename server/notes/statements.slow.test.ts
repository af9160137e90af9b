import './statements.test.ts'
