import './categories.test.ts'
