import './random.test.ts'
