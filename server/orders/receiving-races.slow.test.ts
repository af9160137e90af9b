import './receiving-races.test.ts'
