import './storm.test.ts'
