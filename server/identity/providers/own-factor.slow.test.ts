import './own-factor.test.ts'
