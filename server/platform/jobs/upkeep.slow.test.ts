import './upkeep.test.ts'
