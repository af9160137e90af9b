import './uploads.test.ts'
