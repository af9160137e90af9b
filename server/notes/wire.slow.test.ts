import './wire.test.ts'
