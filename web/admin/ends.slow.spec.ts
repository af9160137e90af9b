import './ends.spec.ts'
