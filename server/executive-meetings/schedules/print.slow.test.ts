import './print.test.ts'
