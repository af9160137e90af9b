import './resets.test.ts'
