import './scopes.test.ts'
