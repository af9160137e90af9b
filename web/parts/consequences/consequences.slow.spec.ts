import './consequences.spec.ts'
