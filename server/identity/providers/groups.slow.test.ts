import './groups.test.ts'
