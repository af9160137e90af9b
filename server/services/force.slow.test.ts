import './force.test.ts'
