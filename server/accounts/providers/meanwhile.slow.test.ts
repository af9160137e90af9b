import './meanwhile.test.ts'
