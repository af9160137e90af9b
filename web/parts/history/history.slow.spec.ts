import './history.spec.ts'
