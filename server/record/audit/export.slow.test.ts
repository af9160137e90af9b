import './export.test.ts'
