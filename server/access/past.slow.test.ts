import './past.test.ts'
