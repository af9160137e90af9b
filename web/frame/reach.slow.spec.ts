import './reach.spec.ts'
