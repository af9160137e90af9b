import './logout.test.ts'
