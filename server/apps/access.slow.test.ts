import './access.test.ts'
