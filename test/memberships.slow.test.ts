import './memberships.test.ts'
