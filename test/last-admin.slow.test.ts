import './last-admin.test.ts'
