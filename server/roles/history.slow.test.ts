import './history.test.ts'
