import './preview.test.ts'
