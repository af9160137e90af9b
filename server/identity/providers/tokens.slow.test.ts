import './tokens.test.ts'
