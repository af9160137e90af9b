import './shared.spec.ts'
