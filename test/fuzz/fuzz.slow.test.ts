import './fuzz.test.ts'
