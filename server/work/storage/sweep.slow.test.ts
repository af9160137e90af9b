import './sweep.test.ts'
