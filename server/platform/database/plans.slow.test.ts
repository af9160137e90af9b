import './plans.test.ts'
