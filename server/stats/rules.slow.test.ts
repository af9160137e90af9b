import './rules.test.ts'
